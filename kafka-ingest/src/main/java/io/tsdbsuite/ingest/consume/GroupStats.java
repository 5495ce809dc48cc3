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
  private final LongAdder consumed = new LongAdder();
  private final LongAdder stored = new LongAdder();
  private final LongAdder requeued = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder deadMessages = new LongAdder();
  private final LongAdder storedPoints = new LongAdder();
  private final LongAdder deletedRollups = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder lostOffsets = new LongAdder();
  private final LongAdder lostAnswers = new LongAdder();
  private final LongAdder wrongTimes = new LongAdder();
  private final LongAdder pausedMillis = new LongAdder();
  private final Map<Reason, LongAdder> deadLetters = new ConcurrentHashMap<>();
  private final Map<Outcome, LongAdder> repairs = new ConcurrentHashMap<>();
  private final LongAdder repairedRollups = new LongAdder();
  private final LongAdder repairRows = new LongAdder();

  /** Creates counters at 0. */
  public GroupStats() {}

  void consumed() {
    consumed.increment();
  }

  /** Counts a message after its points, deletions and repairs, which readers expect with it. */
  void stored(long points) {
    storedPoints.add(points);
    stored.increment();
  }

  void deletedRollups(long elements) {
    deletedRollups.add(elements);
  }

  void repair(RepairResult result) {
    repairs.computeIfAbsent(result.outcome(), key -> new LongAdder()).increment();
    repairedRollups.add(result.rollups());
    repairRows.add(result.rows());
  }

  void deadMessage() {
    deadMessages.increment();
  }

  void deadLetter(Reason reason) {
    deadLetters.computeIfAbsent(reason, key -> new LongAdder()).increment();
  }

  void requeued() {
    requeued.increment();
  }

  void replayed(long messages) {
    replayed.add(messages);
  }

  void failure() {
    failures.increment();
  }

  void lostOffsets(long messages) {
    lostOffsets.add(messages);
  }

  void lostAnswer() {
    lostAnswers.increment();
  }

  void wrongTime() {
    wrongTimes.increment();
  }

  void paused(long millis) {
    pausedMillis.add(millis);
  }

  /** Messages read from Kafka. */
  public long consumedMessages() {
    return consumed.sum();
  }

  /**
   * Messages whose storable points were all acknowledged by HBase, at least one point; requests
   * that were carried out, also those without anything to write.
   */
  public long storedMessages() {
    return stored.sum();
  }

  /** Messages without a storable point, acknowledged in the dead-letter topic. */
  public long deadMessages() {
    return deadMessages.sum();
  }

  /** Messages that Kafka has acknowledged in the requeue topic. */
  public long requeuedMessages() {
    return requeued.sum();
  }

  /** Messages that ended here without an outcome and are read again, here or by another TSD. */
  public long replayedMessages() {
    return replayed.sum();
  }

  /**
   * Messages without an outcome yet. Never negative: a message is counted as consumed before its
   * outcome, and has one outcome. A negative number would be a defect of the plugin, and is
   * returned as it is.
   */
  public long messagesInFlight() {
    // The outcomes first: a message that completes meanwhile is then counted as in flight.
    long completed = storedMessages() + deadMessages() + requeuedMessages() + replayedMessages();
    return consumedMessages() - completed;
  }

  /** Points that HBase has acknowledged. */
  public long storedPoints() {
    return storedPoints.sum();
  }

  /** Rollups whose deletion HBase has acknowledged. */
  public long deletedRollups() {
    return deletedRollups.sum();
  }

  /** Records in the dead-letter topic, messages and single elements of messages, by reason. */
  public long deadLetters(Reason reason) {
    LongAdder count = deadLetters.get(reason);
    return count == null ? 0 : count.sum();
  }

  /**
   * Requests for rollups that were carried out, by outcome. In a group whose messages have one
   * request each, their sum is {@link #storedMessages}.
   */
  public long repairs(Outcome outcome) {
    LongAdder count = repairs.get(outcome);
    return count == null ? 0 : count.sum();
  }

  /** Rollups that were computed from raw points, and that HBase has acknowledged. */
  public long repairedRollups() {
    return repairedRollups.sum();
  }

  /** Rows of raw points read for them. */
  public long repairRows() {
    return repairRows.sum();
  }

  /** Number of times that a partition stopped because of a storage failure. */
  public long storageFailures() {
    return failures.sum();
  }

  /** Messages that Kafka had deleted before the group read them. */
  public long lostMessages() {
    return lostOffsets.sum();
  }

  /**
   * Requeued messages and requests with a time more than a minute in the future, or before 2000.
   */
  public long wrongTimes() {
    return wrongTimes.sum();
  }

  /** Messages whose answer of HBase was lost; they were read again. */
  public long lostAnswers() {
    return lostAnswers.sum();
  }

  /**
   * Time for which partitions were stopped by storage failures, summed over partitions, seconds.
   */
  public double pausedSeconds() {
    return pausedMillis.sum() / 1000.0;
  }
}
