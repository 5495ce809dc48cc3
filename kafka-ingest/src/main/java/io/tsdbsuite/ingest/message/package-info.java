/**
 * What messages say: JSON in, points out. Knows neither Kafka nor the TSD.
 *
 * <p>Specified in docs/kafka-ingest.md and docs/rollup-message.md.
 */
package io.tsdbsuite.ingest.message;
