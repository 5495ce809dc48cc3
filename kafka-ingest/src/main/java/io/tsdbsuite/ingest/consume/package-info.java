/**
 * Reads messages from Kafka, writes them to the store, and commits offsets. Every message is
 * counted with one outcome: see {@link io.tsdbsuite.ingest.consume.GroupStats}.
 *
 * <p>Each consumer has two threads, connected by a {@link
 * io.tsdbsuite.ingest.consume.MessageQueue}. {@link io.tsdbsuite.ingest.consume.PollLoop} talks to
 * Kafka only and never waits for HBase, so it never misses the poll interval of the group. {@link
 * io.tsdbsuite.ingest.consume.WriteLoop} may block on the rate, the in-flight limit and UIDs.
 *
 * <p>A {@link io.tsdbsuite.ingest.consume.QueuedMessage} becomes an {@link
 * io.tsdbsuite.ingest.consume.InFlightMessage} when the writing thread starts it. Its parts are
 * {@link io.tsdbsuite.ingest.consume.InFlightElements} and dead letters. When all parts have
 * completed, {@link io.tsdbsuite.ingest.consume.MessageCompletion} decides the outcome, and {@link
 * io.tsdbsuite.ingest.consume.PartitionProgress} knows the offset to commit.
 */
package io.tsdbsuite.ingest.consume;
