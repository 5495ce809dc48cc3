/**
 * Reads messages from Kafka, writes them to HBase, and commits offsets: at least once, each message
 * counted with one outcome ({@link io.tsdbsuite.ingest.consume.GroupStats}).
 *
 * <p>{@link io.tsdbsuite.ingest.consume.IngestGroup} is a consumer group in this TSD. Each of its
 * consumers has two threads. The polling thread talks to Kafka only and never waits for HBase, so
 * it never misses the poll interval of the group. The writing thread may block on the rate, the
 * in-flight limit and UIDs.
 *
 * <pre>
 *   Kafka                                                                       HBase
 *     |                                                                           ^
 *     | poll          1 PollLoop, ConsumerSession      3 WriteLoop                | puts
 *     +--------------->   pauses, retries,    -------&gt;   parse, rate, in-flight --+
 *     |                   DueMessages      MessageQueue  limit, PendingCells      |
 *     |                                                  InFlightMessage          |
 *     |                                                     |  4 MessageCompletion|
 *     +&lt;------------- 5 OffsetCommitter &lt;-- PartitionProgress &lt;---- answers -------+
 *     |  commit                                             |
 *     +&lt;------------------ dead letters, requeued messages -+ OutputTopics
 * </pre>
 *
 * <p>A record goes this way:
 *
 * <ol>
 *   <li><b>Poll.</b> {@link io.tsdbsuite.ingest.consume.PollLoop} runs one {@link
 *       io.tsdbsuite.ingest.consume.ConsumerSession} after the other. A session begins where {@link
 *       io.tsdbsuite.ingest.consume.StartOffsets} says, and pauses partitions whose next message is
 *       not due ({@link io.tsdbsuite.ingest.consume.DueMessages}) or damaged ({@link
 *       io.tsdbsuite.ingest.consume.DamagedBatches}), or that have failed.
 *   <li>A {@link io.tsdbsuite.ingest.consume.QueuedMessage} has a place in the {@link
 *       io.tsdbsuite.ingest.consume.PartitionProgress} of its partition. A full {@link
 *       io.tsdbsuite.ingest.consume.MessageQueue} pauses the partitions.
 *   <li><b>Write.</b> {@link io.tsdbsuite.ingest.consume.WriteLoop} makes an {@link
 *       io.tsdbsuite.ingest.consume.InFlightMessage} of it, within {@link
 *       io.tsdbsuite.ingest.consume.PointRate} and {@link
 *       io.tsdbsuite.ingest.consume.InFlightLimit}. Two writes to one cell are never in flight
 *       together ({@link io.tsdbsuite.ingest.consume.PendingCells}).
 *   <li>When all parts of the message have answers, {@link
 *       io.tsdbsuite.ingest.consume.MessageCompletion} decides its outcome: stored, dead letter,
 *       requeued, or read again. {@link io.tsdbsuite.ingest.consume.Masking} masks late points
 *       before that is counted.
 *   <li><b>Commit.</b> {@link io.tsdbsuite.ingest.consume.OffsetCommitter} commits the offsets up
 *       to which all messages have finished. A failure closes the progress of its partition: when
 *       no answer is missing any more, the session reads the partition again from the first
 *       unfinished message.
 *   <li><b>Health.</b> {@link io.tsdbsuite.ingest.consume.LagMeter} measures {@link
 *       io.tsdbsuite.ingest.consume.GroupLag} and {@link io.tsdbsuite.ingest.consume.StoredTimes}.
 *       {@link io.tsdbsuite.ingest.consume.HBaseProbe} and {@link
 *       io.tsdbsuite.ingest.consume.AckTimeoutCheck} tell an outage of HBase, in which messages
 *       wait, from lost answers, after which messages are read again.
 * </ol>
 */
package io.tsdbsuite.ingest.consume;
