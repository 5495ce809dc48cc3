package io.tsdbsuite.stream.flink;

import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What a job reads and writes.
 *
 * @param intervals the rollups that it makes
 * @param inputTopics topics of {@code Metric} messages, at least one
 * @param rollupTopic receives the rollups
 * @param requestTopic receives the requests to repair rollups
 * @param watermarkTopic receives the times up to which each interval is complete
 * @param kafka settings of Kafka's clients, at least {@code bootstrap.servers}
 * @param group the consumer group, to which offsets are committed with each checkpoint
 * @param earliestTime times of messages before are wrong, ms since the epoch
 * @param start offsets at which a job without a checkpoint starts; partitions that are added later
 *     are read from their beginning
 * @param firstTime time of the first message that a job without a checkpoint reads, ms since the
 *     epoch; or before. Buckets that the job before may not have written at that time are
 *     requested; none if it is not before completeFrom
 * @param completeFrom time from which a job without a checkpoint reads all messages, ms since the
 *     epoch
 * @param ahead hours with points ahead of their messages that a job before has read, seconds since
 *     the epoch, by the names of the series, see RollupFunction
 * @param idleMillis time without a message after which a partition no longer holds back the others
 * @param limits bounds of a message of points; those of kafka-ingest, which stores the points
 */
public record StreamOptions(
    StreamIntervals intervals,
    List<String> inputTopics,
    String rollupTopic,
    String requestTopic,
    String watermarkTopic,
    Map<String, String> kafka,
    String group,
    long earliestTime,
    Map<TopicPartition, Long> start,
    long firstTime,
    long completeFrom,
    Map<String, List<Long>> ahead,
    long idleMillis,
    MessageLimits limits) {
  /** Copies the collections. */
  public StreamOptions {
    inputTopics = List.copyOf(inputTopics);
    kafka = Map.copyOf(kafka);
    start = Map.copyOf(start);
    ahead = Map.copyOf(ahead);
  }
}
