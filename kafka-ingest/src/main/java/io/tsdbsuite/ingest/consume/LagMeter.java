package io.tsdbsuite.ingest.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Measures how far partitions are behind: from the first message that is not stored, since one that
 * was only fetched answers no query. Looks after the topics as well, those that are written to
 * included. For the polling thread, but for {@link #problem}.
 */
final class LagMeter {
  private static final long EVERY_MILLIS = 5_000;
  private static final long FIRST_MILLIS = 500;

  /** How long a topic that was found is taken to be there. */
  static final long FOUND_MILLIS = 30_000;

  private static final Duration WAIT = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final GroupParts parts;
  private final Map<String, Long> foundAt = new HashMap<>();
  private long lastMillis;
  private volatile String problem;

  LagMeter(Consumer<byte[], byte[]> consumer, GroupParts parts) {
    this.consumer = consumer;
    this.parts = parts;
    this.lastMillis = parts.uptime.millis() - EVERY_MILLIS;
  }

  /** The topics that do not exist, or may not be used; null if all is well. */
  String problem() {
    return problem;
  }

  /**
   * Measures, but not too often.
   *
   * @param waiting partitions whose next message is not due
   */
  void measureIfDue(Map<TopicPartition, PartitionProgress> progress, Set<TopicPartition> waiting) {
    long now = parts.uptime.millis();
    boolean known = parts.lag.worst().isPresent() && problem == null;
    if (now - lastMillis < (known ? EVERY_MILLIS : FIRST_MILLIS)) {
      return;
    }
    lastMillis = now;
    try {
      findTopics(now);
      measure(progress, waiting);
    } catch (TimeoutException e) {
      // The brokers do not answer: the last figures stand.
    }
  }

  private void findTopics(long now) {
    foundAt.values().removeIf(at -> now - at >= FOUND_MILLIS);
    Set<String> missing = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    for (String topic : parts.topics) {
      if (foundAt.containsKey(topic)) {
        continue;
      }
      try {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic, WAIT);
        if (partitions == null || partitions.isEmpty()) {
          missing.add(topic);
        } else {
          foundAt.put(topic, now);
        }
      } catch (TopicAuthorizationException e) {
        refused.add(topic);
      }
    }
    if (!missing.isEmpty()) {
      problem = "topics that do not exist: " + missing;
    } else {
      problem = refused.isEmpty() ? null : "topics that Kafka refuses to this user: " + refused;
    }
  }

  private void measure(
      Map<TopicPartition, PartitionProgress> progress, Set<TopicPartition> waiting) {
    if (progress.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(progress.keySet(), WAIT);
    long now = parts.uptime.millis();
    progress.forEach(
        (partition, each) -> {
          long unfinished = each.firstUnfinished();
          long at = unfinished >= 0 ? unfinished : consumer.position(partition, WAIT);
          long lag = Math.max(0, ends.get(partition) - at);
          parts.lag.measured(partition, at, lag, waiting.contains(partition), now);
        });
  }
}
