/**
 * Sends to Kafka what does not come from Kafka: the points that a TSD accepts over HTTP and telnet
 * ({@link io.tsdbsuite.ingest.publish.PublishedPoints}), those that HBase rejected ({@link
 * io.tsdbsuite.ingest.publish.RequeuedPoints}), and requests for the rollups of late points ({@link
 * io.tsdbsuite.ingest.publish.RepairRequests}).
 *
 * <p>{@link io.tsdbsuite.ingest.publish.AsyncProducer} never blocks its caller. Documented in
 * docs/kafka-ingest.md.
 */
package io.tsdbsuite.ingest.publish;
