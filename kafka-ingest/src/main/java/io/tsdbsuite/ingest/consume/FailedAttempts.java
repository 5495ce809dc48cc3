package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
  private final Map<TopicPartition, Map<Long, Integer>> attempts = new ConcurrentHashMap<>();
  private final Cache<String, Boolean> known;

  /**
   * Creates an empty object.
   *
   * @param max attempts of one message
   */
  FailedAttempts(int max, Ticker ticker) {
    this.max = max;
    this.known =
        CacheBuilder.newBuilder()
            .concurrencyLevel(1)
            .ticker(ticker)
            .expireAfterWrite(KNOWN_MILLIS, TimeUnit.MILLISECONDS)
            .maximumSize(MAX_KNOWN)
            .build();
  }

  /**
   * Counts a failed attempt. Returns whether it was the last one.
   *
   * @param failure description, equal for equal failures
   */
  boolean isLast(TopicPartition partition, long offset, String failure) {
    if (known.getIfPresent(failure) != null) {
      return true;
    }
    int count =
        attempts
            .computeIfAbsent(partition, p -> new ConcurrentHashMap<>())
            .merge(offset, 1, Integer::sum);
    if (count < max) {
      return false;
    }
    known.put(failure, true);
    return true;
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
