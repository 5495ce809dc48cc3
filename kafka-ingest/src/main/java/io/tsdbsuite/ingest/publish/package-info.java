/**
 * Sends the points that a TSD accepts over HTTP and telnet to Kafka.
 *
 * <p>{@link io.tsdbsuite.ingest.publish.PublishedPoints} is the entry. Documented in
 * docs/kafka-ingest.md, Publishing points.
 */
package io.tsdbsuite.ingest.publish;
