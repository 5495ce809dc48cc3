/** From elements of messages to the TSD's tables. Knows the TSD, and nothing of Kafka. */
package io.tsdbsuite.ingest.store;
