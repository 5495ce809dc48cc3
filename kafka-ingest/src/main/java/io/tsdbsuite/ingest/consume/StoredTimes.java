package io.tsdbsuite.ingest.consume;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Up to which time the messages of the assigned partitions are stored. Derived from the ends of the
 * partitions, not from timestamps in messages. Thread-safe.
 *
 * <p>When the first unfinished message reaches the end that a partition had at some time, all
 * messages are stored that Kafka had at that time.
 */
final class StoredTimes {
  private static final Mark UNKNOWN = new Mark(Long.MIN_VALUE, Long.MAX_VALUE, 0);

  private final Map<TopicPartition, Mark> marks = new ConcurrentHashMap<>();

  /** A partition's end at some time, and the latest time whose end was reached. Immutable. */
  private static final class Mark {
    final long storedMillis;
    final long end;
    final long endMillis;

    Mark(long storedMillis, long end, long endMillis) {
      this.storedMillis = storedMillis;
      this.end = end;
      this.endMillis = endMillis;
    }

    Mark next(long position, long newEnd, long newMillis) {
      if (position >= newEnd) {
        return new Mark(newMillis, newEnd, newMillis);
      }
      if (position >= end) {
        return new Mark(endMillis, newEnd, newMillis);
      }
      return this == UNKNOWN ? new Mark(Long.MIN_VALUE, newEnd, newMillis) : this;
    }
  }

  void assigned(TopicPartition partition) {
    marks.putIfAbsent(partition, UNKNOWN);
  }

  void revoked(TopicPartition partition) {
    marks.remove(partition);
  }

  /**
   * Records a measurement.
   *
   * @param position offset of the first message that is not stored
   * @param end end of the partition
   * @param nowMillis a time before the end was read, milliseconds since the epoch
   */
  void measured(TopicPartition partition, long position, long end, long nowMillis) {
    marks.computeIfPresent(partition, (p, mark) -> mark.next(position, end, nowMillis));
  }

  /**
   * Names a partition whose messages of before this time may not be stored yet; null if there is
   * none.
   *
   * @param millis milliseconds since the epoch
   */
  @Nullable String notStoredBefore(long millis) {
    for (Map.Entry<TopicPartition, Mark> each : marks.entrySet()) {
      long stored = each.getValue().storedMillis;
      if (stored < millis) {
        return each.getKey()
            + " is stored up to "
            + (stored == Long.MIN_VALUE ? "an unknown time" : Instant.ofEpochMilli(stored))
            + ", not to "
            + Instant.ofEpochMilli(millis);
      }
    }
    return null;
  }
}
