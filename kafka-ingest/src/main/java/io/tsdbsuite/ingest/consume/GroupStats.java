package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.RepairResult;
import io.tsdbsuite.ingest.store.RepairResult.Outcome;
import io.tsdbsuite.message.read.Reason;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of one group in this TSD since its start. Thread-safe.
 *
 * <p>Every consumed message has exactly one outcome: {@code consumed = stored + deadLettered +
 * requeued + replayed + in flight}. A message that is read again counts again. An array with stored
 * elements and dead letters counts as stored, and so does a request that was carried out.
 */
public final class GroupStats {
  /** What is counted. */
  public enum Count {
    /** Messages read from Kafka. */
    CONSUMED,
    /**
     * Messages whose storable points were all acknowledged by HBase, at least one point; requests
     * that were carried out, also those without anything to write.
     */
    STORED,
    /** Messages without a storable point, acknowledged in the dead-letter topic. */
    DEAD,
    /** Messages that Kafka has acknowledged in the requeue topic. */
    REQUEUED,
    /** Messages that ended here without an outcome and are read again, here or by another TSD. */
    REPLAYED,
    /** Points that HBase has acknowledged. */
    STORED_POINTS,
    /** Rollups whose deletion HBase has acknowledged. */
    DELETED_ROLLUPS,
    /** Histograms of rollups that HBase has acknowledged; each is one of the points, too. */
    ROLLUP_HISTOGRAMS,
    /** Rollups that were computed from raw points, and that HBase has acknowledged. */
    REPAIRED_ROLLUPS,
    /** Buckets whose histogram is too wide, or lacks points beside histogram cells. */
    ODD_HISTOGRAMS,
    /** Rows of raw points read for them. */
    REPAIR_ROWS,
    /** Times that a partition stopped because of a storage failure. */
    STORAGE_FAILURES,
    /** Messages that Kafka had deleted before the group read them. */
    LOST_MESSAGES,
    /** Messages whose answer of HBase was lost; they were read again. */
    LOST_ANSWERS,
    /** Requeued messages and requests with a time more than a minute ahead, or before 2000. */
    WRONG_TIMES,
    /** Time for which partitions were stopped by storage failures, summed over them. */
    PAUSED_MILLIS
  }

  /** By {@link Count}, {@link Reason} of dead letters and {@link Outcome} of repairs. */
  private final Map<Enum<?>, LongAdder> counts = new ConcurrentHashMap<>();

  GroupStats() {}

  void add(Count count) {
    add(count, 1);
  }

  void add(Count count, long number) {
    counter(count).add(number);
  }

  private LongAdder counter(Enum<?> key) {
    // computeIfAbsent may lock, also if the key is there.
    LongAdder counter = counts.get(key);
    return counter != null ? counter : counts.computeIfAbsent(key, first -> new LongAdder());
  }

  /** The number so far. */
  public long get(Count count) {
    return counter(count).sum();
  }

  void repair(RepairResult result) {
    counter(result.outcome()).increment();
    add(Count.REPAIRED_ROLLUPS, result.rollups());
    add(Count.DELETED_ROLLUPS, result.deletions());
    add(Count.ROLLUP_HISTOGRAMS, result.histograms());
    add(Count.ODD_HISTOGRAMS, result.oddHistograms());
    add(Count.REPAIR_ROWS, result.rows());
  }

  void deadLetter(Reason reason) {
    counter(reason).increment();
  }

  /**
   * Messages without an outcome yet. Never negative: a message is counted as consumed before its
   * outcome, and has one outcome. A negative number would be a defect of the plugin, and is
   * returned as it is.
   */
  public long messagesInFlight() {
    // The outcomes first: a message that completes meanwhile is then counted as in flight.
    long completed =
        get(Count.STORED) + get(Count.DEAD) + get(Count.REQUEUED) + get(Count.REPLAYED);
    return get(Count.CONSUMED) - completed;
  }

  /** Records in the dead-letter topic, messages and single elements of messages, by reason. */
  public long deadLetters(Reason reason) {
    return counter(reason).sum();
  }

  /**
   * Requests for rollups that were carried out, by outcome. In a group whose messages have one
   * request each, their sum is {@link Count#STORED}.
   */
  public long repairs(Outcome outcome) {
    return counter(outcome).sum();
  }

  /** {@link Count#PAUSED_MILLIS} in seconds. */
  public double pausedSeconds() {
    return get(Count.PAUSED_MILLIS) / 1000.0;
  }
}
