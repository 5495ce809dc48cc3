/**
 * The messages of points and rollups in Kafka: {@link io.tsdbsuite.message.write} encodes them,
 * {@link io.tsdbsuite.message.read} parses them, and the names that both use are here.
 *
 * <p>Specified in docs/rollup-message.md and docs/kafka-ingest.md. Knows neither Kafka's client nor
 * HBase. The reader works with Jackson 2.9, which a TSD has; the writer needs Jackson 2.14.
 */
package io.tsdbsuite.message;
