/**
 * The TSD plugin that stores points and rollups from Kafka: the classes that opentsdb.conf names.
 *
 * <p>Documented in docs/kafka-ingest.md.
 */
package io.tsdbsuite.ingest;
