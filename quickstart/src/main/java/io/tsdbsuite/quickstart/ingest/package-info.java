/** Sets up kafka-ingest in a TSD, which stores the rollups from Kafka, and waits for it. */
package io.tsdbsuite.quickstart.ingest;
