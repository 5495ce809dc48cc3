/**
 * The TSD plugin that stores points and rollups from Kafka; what opentsdb.conf names is here.
 *
 * <p>Documented in docs/kafka-ingest.md.
 */
package io.tsdbsuite.ingest;
