/** What Kafka's client wants of slf4j and the TSD's slf4j 1.7.7 does not have. */
package io.tsdbsuite.ingest.slf4j;
