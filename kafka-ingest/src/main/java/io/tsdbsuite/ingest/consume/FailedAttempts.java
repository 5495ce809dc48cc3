package io.tsdbsuite.ingest.consume;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts the attempts of messages that fail in the TSD's own code. Thread-safe.
 *
 * <p>Each attempt stops a partition. A failure that has used up all attempts of one message is
 * therefore remembered: other messages with the same failure get no further attempt for a while.
 */
final class FailedAttempts {
  private static final long KNOWN_MILLIS = 600_000;
  private static final int MAX_KNOWN = 100;

  private final int max;
  private final MonotonicClock clock;
  private final Map<TopicPartition, Map<Long, Integer>> attempts = new ConcurrentHashMap<>();
  private final Map<String, Long> knownSince = new HashMap<>();

  /**
   * Creates an empty object.
   *
   * @param max attempts of one message
   */
  FailedAttempts(int max, MonotonicClock clock) {
    this.max = max;
    this.clock = clock;
  }

  /**
   * Counts a failed attempt. Returns whether it was the last one.
   *
   * @param failure description, equal for equal failures
   */
  boolean isLast(TopicPartition partition, long offset, String failure) {
    if (isKnown(failure)) {
      return true;
    }
    int count =
        attempts
            .computeIfAbsent(partition, p -> new ConcurrentHashMap<>())
            .merge(offset, 1, Integer::sum);
    if (count < max) {
      return false;
    }
    remember(failure);
    return true;
  }

  private synchronized boolean isKnown(String failure) {
    Long since = knownSince.get(failure);
    return since != null && clock.millis() - since < KNOWN_MILLIS;
  }

  private synchronized void remember(String failure) {
    long now = clock.millis();
    for (Iterator<Long> each = knownSince.values().iterator(); each.hasNext(); ) {
      if (now - each.next() >= KNOWN_MILLIS) {
        each.remove();
      }
    }
    if (knownSince.size() < MAX_KNOWN) {
      knownSince.put(failure, now);
    }
  }

  /** The message is stored, or acknowledged in another topic. */
  void remove(TopicPartition partition, long offset) {
    // Fast path: hardly any message fails.
    Map<Long, Integer> ofPartition = attempts.isEmpty() ? null : attempts.get(partition);
    if (ofPartition != null) {
      ofPartition.remove(offset);
    }
  }

  /** The partition was revoked. */
  void forget(TopicPartition partition) {
    attempts.remove(partition);
  }
}
