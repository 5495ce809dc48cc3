package io.tsdbsuite.ingest.consume;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Messages on which the TSD's own code fails, and how often each has been tried. Thread-safe.
 *
 * <p>A failure that has outlasted all tries of one message is known for a while: others that fail
 * with the same words need no tries of their own, of which each stops a partition.
 */
final class FailedTries {
  private static final long KNOWN_MILLIS = 600_000;
  private static final int MAX_KNOWN = 100;

  private final int max;
  private final Uptime uptime;
  private final Map<TopicPartition, Map<Long, Integer>> tries = new ConcurrentHashMap<>();
  private final Map<String, Long> knownSince = new HashMap<>();

  /**
   * Starts without any.
   *
   * @param max tries of one message
   */
  FailedTries(int max, Uptime uptime) {
    this.max = max;
    this.uptime = uptime;
  }

  /**
   * Counts a try that failed. Answers whether it was the last.
   *
   * @param failure in words, equal for equal ones
   */
  boolean isLast(TopicPartition partition, long offset, String failure) {
    if (isKnown(failure)) {
      return true;
    }
    int count =
        tries
            .computeIfAbsent(partition, p -> new ConcurrentHashMap<>())
            .merge(offset, 1, Integer::sum);
    if (count < max) {
      return false;
    }
    know(failure);
    return true;
  }

  private synchronized boolean isKnown(String failure) {
    Long since = knownSince.get(failure);
    return since != null && uptime.millis() - since < KNOWN_MILLIS;
  }

  private synchronized void know(String failure) {
    long now = uptime.millis();
    for (Iterator<Long> each = knownSince.values().iterator(); each.hasNext(); ) {
      if (now - each.next() >= KNOWN_MILLIS) {
        each.remove();
      }
    }
    if (knownSince.size() < MAX_KNOWN) {
      knownSince.put(failure, now);
    }
  }

  /** The message is stored, or safe in another topic. */
  void done(TopicPartition partition, long offset) {
    // Of nearly all messages nothing is known.
    Map<Long, Integer> ofPartition = tries.isEmpty() ? null : tries.get(partition);
    if (ofPartition != null) {
      ofPartition.remove(offset);
    }
  }

  /** The partition is somebody else's. */
  void forget(TopicPartition partition) {
    tries.remove(partition);
  }
}
