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

  /** Last measurements of earlier assignments to this TSD; for {@link #resumed} only. */
  private final Map<TopicPartition, PartitionLag> earlier = new ConcurrentHashMap<>();

  /** One partition's lag; not changed while a map has it. */
  public static final class PartitionLag {
    private final TopicPartition partition;
    private long lag = UNKNOWN;
    private long position = UNKNOWN;
    private long movedMillis;
    private long measuredMillis;

    /** The position of the assignment's first measurement, and since when it is there. */
    private long startPosition = UNKNOWN;

    private long startMillis;

    /** Whether the next message is in a transaction that has not ended, or behind one. */
    private boolean inTransaction;

    PartitionLag(TopicPartition partition) {
      this.partition = partition;
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

    private String cause() {
      return inTransaction ? ": a transaction at offset " + position + " has not ended" : "";
    }
  }

  void assigned(TopicPartition partition) {
    lags.putIfAbsent(partition, new PartitionLag(partition));
  }

  /**
   * Records a measurement.
   *
   * @param position offset of the first unfinished message
   * @param lag messages from there to the end
   * @param waits whether the next message is not due yet, so that this is not a stall
   * @param inTransaction whether the next message cannot be read before a transaction ends
   * @param nowMillis time of {@link MonotonicClock}
   */
  void measured(
      TopicPartition partition,
      long position,
      long lag,
      boolean waits,
      boolean inTransaction,
      long nowMillis) {
    lags.computeIfPresent(
        partition,
        (p, assigned) -> {
          boolean first = assigned.lag == UNKNOWN;
          PartitionLag old = first ? resumed(assigned, position) : assigned;
          boolean still =
              lag > 0
                  && !waits
                  && old.lag > 0
                  && old.position == position
                  && nowMillis - old.measuredMillis <= GAP_MILLIS;
          // Time without messages to read is no stall, so it must not count as one later.
          boolean newStart = first || lag == 0 || waits;
          PartitionLag measured = new PartitionLag(p);
          measured.lag = lag;
          measured.position = position;
          measured.movedMillis = still ? old.movedMillis : nowMillis;
          measured.measuredMillis = nowMillis;
          measured.startPosition = newStart ? position : old.startPosition;
          measured.startMillis = newStart ? measured.movedMillis : old.startMillis;
          measured.inTransaction = inTransaction;
          return measured;
        });
  }

  /**
   * What is known of a partition before the first measurement of its assignment. If it is where the
   * assignment before ended or began, this TSD made no progress that lasts: sessions that end by
   * errors begin at the same offset again and again.
   */
  private PartitionLag resumed(PartitionLag assigned, long position) {
    PartitionLag before = earlier.remove(assigned.partition);
    if (before == null || before.position == position || before.startPosition != position) {
      return before == null ? assigned : before;
    }
    // No map has it any more.
    before.position = position;
    before.movedMillis = before.startMillis;
    return before;
  }

  /** Ends an assignment: the partition no longer counts, unless it is assigned again. */
  void revoked(TopicPartition partition) {
    PartitionLag gone = lags.remove(partition);
    if (gone != null && gone.lag != UNKNOWN) {
      earlier.put(partition, gone);
    }
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
   * Describes the partition that lags most, if that is more than allowed, or one whose lag is not
   * known; null if there is none.
   */
  @Nullable String behind(long allowed) {
    PartitionLag worst = null;
    for (PartitionLag each : lags.values()) {
      if (each.lag == UNKNOWN) {
        return "the lag of " + each.partition + " is not known yet";
      }
      if (worst == null || each.lag > worst.lag) {
        worst = each;
      }
    }
    if (worst == null || worst.lag <= allowed) {
      return null;
    }
    return String.format(
        "%s is %s messages behind, %s are allowed%s",
        worst.partition, worst.lag, allowed, worst.cause());
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
        return String.format(
            "%s has stalled at offset %s for %s s, %s messages before its end%s",
            each.partition, each.position, millis / 1000, each.lag, each.cause());
      }
    }
    return null;
  }
}
