/**
 * The plugin's configuration: keys of opentsdb.conf with the prefix {@code KafkaRpcPlugin.},
 * checked and converted. Documented in docs/kafka-ingest.md.
 */
package io.tsdbsuite.ingest.config;
