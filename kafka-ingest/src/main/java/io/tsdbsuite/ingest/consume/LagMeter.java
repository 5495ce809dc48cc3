package io.tsdbsuite.ingest.consume;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Measures how far partitions are behind: from the first message that is not stored, since one that
 * was only fetched answers no query. For the polling thread, but for {@link #problem}.
 */
final class LagMeter {
  private static final long EVERY_MILLIS = 5_000;
  private static final long FIRST_MILLIS = 500;
  private static final Duration WAIT = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final GroupParts parts;
  private final Set<String> found = new HashSet<>();
  private long lastMillis;
  private volatile String problem;

  LagMeter(Consumer<byte[], byte[]> consumer, GroupParts parts) {
    this.consumer = consumer;
    this.parts = parts;
  }

  /** The topics that do not exist; null if all do. */
  String problem() {
    return problem;
  }

  void measureIfDue(Map<TopicPartition, PartitionProgress> progress) {
    long now = parts.clock.millis();
    boolean known = parts.lag.worst().isPresent() && problem == null;
    if (now - lastMillis < (known ? EVERY_MILLIS : FIRST_MILLIS)) {
      return;
    }
    lastMillis = now;
    try {
      findTopics();
      measure(progress);
    } catch (TimeoutException e) {
      // The brokers do not answer: the last figures stand.
    }
  }

  private void findTopics() {
    Set<String> missing = new HashSet<>();
    for (String topic : parts.config.topics()) {
      if (!found.contains(topic)) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic, WAIT);
        if (partitions == null || partitions.isEmpty()) {
          missing.add(topic);
        } else {
          found.add(topic);
        }
      }
    }
    problem = missing.isEmpty() ? null : "topics that do not exist: " + missing;
  }

  private void measure(Map<TopicPartition, PartitionProgress> progress) {
    if (progress.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(progress.keySet(), WAIT);
    progress.forEach(
        (partition, each) -> {
          long unfinished = each.firstUnfinished();
          long at = unfinished >= 0 ? unfinished : consumer.position(partition, WAIT);
          parts.lag.measured(partition, Math.max(0, ends.get(partition) - at));
        });
  }
}
