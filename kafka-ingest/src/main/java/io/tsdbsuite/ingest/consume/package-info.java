/**
 * From Kafka's partitions to the store, with every message accounted for.
 *
 * <p>Each consumer has two threads: {@link io.tsdbsuite.ingest.consume.PollLoop} talks to Kafka and
 * never to HBase, so that it is never late for the group; {@link
 * io.tsdbsuite.ingest.consume.WriteLoop} may block on rates, limits and UIDs.
 */
package io.tsdbsuite.ingest.consume;
