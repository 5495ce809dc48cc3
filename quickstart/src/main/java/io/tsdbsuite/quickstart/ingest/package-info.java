/** Rollups from Kafka into a TSD. */
package io.tsdbsuite.quickstart.ingest;
