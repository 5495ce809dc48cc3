package io.tsdbsuite.stream.flink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds partitions that are not read although messages come and others are read: FLINK-40093 is one
 * cause. Knows offsets only: those that the job commits with its checkpoints. For one thread.
 */
final class UnreadPartitions {
  private final long limitMillis;
  private final Map<TopicPartition, Stand> stands = new HashMap<>();
  private long moved = Long.MIN_VALUE;

  /**
   * Where a partition stands.
   *
   * @param committed the offset; null if none was committed
   * @param end the end of the partition when it was first found at this offset
   * @param since when messages behind that end were found first, ms since the epoch; the largest
   *     number if there are none
   */
  private record Stand(@Nullable Long committed, long end, long since) {}

  /**
   * Creates the rule.
   *
   * @param limitMillis a partition may stand for this time
   */
  UnreadPartitions(long limitMillis) {
    this.limitMillis = limitMillis;
  }

  /**
   * Takes note of the offsets, and finds the partitions that stand.
   *
   * @param committed the next offset that is read, of partitions that have one
   * @param end the offset of the next message that comes, of all partitions
   * @param now ms since the epoch
   */
  List<TopicPartition> look(
      Map<TopicPartition, Long> committed, Map<TopicPartition, Long> end, long now) {
    List<TopicPartition> unread = new ArrayList<>();
    stands.keySet().retainAll(end.keySet());
    end.forEach(
        (partition, last) -> {
          Long next = committed.get(partition);
          Stand before = stands.get(partition);
          if (before == null || !Objects.equals(before.committed, next)) {
            if (before != null) {
              moved = now;
            }
            stands.put(partition, new Stand(next, last, Long.MAX_VALUE));
          } else if (before.since == Long.MAX_VALUE && last > before.end) {
            // The end of a transaction is no message: messages that came since are needed.
            stands.put(partition, new Stand(next, before.end, now));
          }
        });
    stands.forEach(
        (partition, stand) -> {
          if (stand.since <= now - limitMillis && moved > stand.since) {
            unread.add(partition);
          }
        });
    return unread;
  }
}
