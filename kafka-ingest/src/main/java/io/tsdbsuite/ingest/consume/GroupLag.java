package io.tsdbsuite.ingest.consume;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Lag and stalls of the partitions that are assigned to this TSD. Thread-safe. */
public final class GroupLag {
  /** Lag of a partition that has not been measured since its assignment. */
  public static final long UNKNOWN = -1;

  /** No stall is derived from measurements further apart than this: Kafka was unavailable. */
  private static final long GAP_MILLIS = 60_000;

  private final Map<TopicPartition, PartitionLag> lags = new ConcurrentHashMap<>();

  /** One partition's lag. Immutable. */
  public static final class PartitionLag {
    private final TopicPartition partition;
    private final long lag;
    private final long position;
    private final long movedMillis;
    private final long measuredMillis;

    PartitionLag(
        TopicPartition partition, long lag, long position, long movedMillis, long measuredMillis) {
      this.partition = partition;
      this.lag = lag;
      this.position = position;
      this.movedMillis = movedMillis;
      this.measuredMillis = measuredMillis;
    }

    /** The topic. */
    public String topic() {
      return partition.topic();
    }

    /** The partition's number. */
    public int partition() {
      return partition.partition();
    }

    /** Messages from the first unfinished one to the end, or {@link #UNKNOWN}. */
    public long lag() {
      return lag;
    }
  }

  void assigned(TopicPartition partition) {
    lags.putIfAbsent(partition, new PartitionLag(partition, UNKNOWN, UNKNOWN, 0, 0));
  }

  /**
   * Records a measurement.
   *
   * @param position offset of the first unfinished message
   * @param lag messages from there to the end
   * @param waits whether the next message is not due yet, so that this is not a stall
   * @param nowMillis time of {@link MonotonicClock}
   */
  void measured(TopicPartition partition, long position, long lag, boolean waits, long nowMillis) {
    lags.computeIfPresent(
        partition,
        (p, old) -> {
          boolean still =
              lag > 0
                  && !waits
                  && old.lag > 0
                  && old.position == position
                  && nowMillis - old.measuredMillis <= GAP_MILLIS;
          return new PartitionLag(p, lag, position, still ? old.movedMillis : nowMillis, nowMillis);
        });
  }

  void revoked(TopicPartition partition) {
    lags.remove(partition);
  }

  /** The assigned partitions, sorted by topic and number. */
  public List<PartitionLag> partitions() {
    List<PartitionLag> all = new ArrayList<>(lags.values());
    all.sort(Comparator.comparing(PartitionLag::topic).thenComparing(PartitionLag::partition));
    return Collections.unmodifiableList(all);
  }

  /** The largest lag; empty if any lag is unknown, 0 without partitions. */
  public OptionalLong worst() {
    long worst = 0;
    for (PartitionLag each : lags.values()) {
      if (each.lag == UNKNOWN) {
        return OptionalLong.empty();
      }
      worst = Math.max(worst, each.lag);
    }
    return OptionalLong.of(worst);
  }

  /**
   * The longest time for which a partition with messages to read has made no progress, ms; 0 if
   * none stands. Messages that are not due yet are not messages to read.
   */
  public long stalledMillis() {
    long longest = 0;
    for (PartitionLag each : lags.values()) {
      if (each.lag > 0) {
        longest = Math.max(longest, each.measuredMillis - each.movedMillis);
      }
    }
    return longest;
  }

  /**
   * Describes a partition with unread messages that has made no progress for longer than the limit;
   * null if there is none. While Kafka is unavailable, the last measurement counts.
   */
  @Nullable String stalled(long limitMillis) {
    for (PartitionLag each : lags.values()) {
      long millis = each.measuredMillis - each.movedMillis;
      if (each.lag > 0 && millis > limitMillis) {
        return each.partition
            + " has stalled at offset "
            + each.position
            + " for "
            + millis / 1000
            + " s, "
            + each.lag
            + " messages before its end";
      }
    }
    return null;
  }
}
