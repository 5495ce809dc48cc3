package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.message.read.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of one group in this TSD since its start. Thread-safe.
 *
 * <p>Of messages: {@code consumed = stored + deadLettered + requeued + replayed + in flight}, and
 * each once: a message that is read again counts again. One that was stored in part, while other
 * elements of it are dead letters, counts as stored.
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
  private final LongAdder pausedMillis = new LongAdder();
  private final Map<Reason, LongAdder> deadLetters = new EnumMap<>(Reason.class);

  /** All zero. */
  public GroupStats() {
    for (Reason reason : Reason.values()) {
      deadLetters.put(reason, new LongAdder());
    }
  }

  void consumed() {
    consumed.increment();
  }

  void stored(long points) {
    stored.increment();
    storedPoints.add(points);
  }

  void deletedRollups(long elements) {
    deletedRollups.add(elements);
  }

  void deadMessage() {
    deadMessages.increment();
  }

  void deadLetter(Reason reason) {
    deadLetters.get(reason).increment();
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

  void paused(long millis) {
    pausedMillis.add(millis);
  }

  /** Messages taken from Kafka. */
  public long consumedMessages() {
    return consumed.sum();
  }

  /** Messages of which HBase has acknowledged every point that can be stored. */
  public long storedMessages() {
    return stored.sum();
  }

  /** Messages of which nothing could be stored and which are in the dead-letter topic. */
  public long deadMessages() {
    return deadMessages.sum();
  }

  /** Messages that Kafka has acknowledged in the requeue topic. */
  public long requeuedMessages() {
    return requeued.sum();
  }

  /** Messages given up here and read again, by this TSD or another one. */
  public long replayedMessages() {
    return replayed.sum();
  }

  /** Messages that are none of the above yet. */
  public long messagesInFlight() {
    // In this order a message that moves on meanwhile is counted rather than missed.
    long done = storedMessages() + deadMessages() + requeuedMessages() + replayedMessages();
    return Math.max(0, consumedMessages() - done);
  }

  /** Points that HBase has acknowledged. */
  public long storedPoints() {
    return storedPoints.sum();
  }

  /** Rollups that messages took back, and whose deletion HBase has acknowledged. */
  public long deletedRollups() {
    return deletedRollups.sum();
  }

  /** Records in the dead-letter topic: messages, or single elements of messages, by reason. */
  public long deadLetters(Reason reason) {
    return deadLetters.get(reason).sum();
  }

  /** Times that a partition was stopped because storage failed. */
  public long storageFailures() {
    return failures.sum();
  }

  /** Messages that Kafka had deleted before the group read them. */
  public long lostMessages() {
    return lostOffsets.sum();
  }

  /** Messages given up because HBase answered others and not them; they were read again. */
  public long lostAnswers() {
    return lostAnswers.sum();
  }

  /** Time that partitions stood still because storage failed, summed over partitions. */
  public double pausedSeconds() {
    return pausedMillis.sum() / 1000.0;
  }
}
