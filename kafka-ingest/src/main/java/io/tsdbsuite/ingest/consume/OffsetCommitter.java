package io.tsdbsuite.ingest.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits the offsets up to which all messages are finished. For the polling thread. */
final class OffsetCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetCommitter.class);
  private static final long EVERY_MILLIS = 1_000;
  private static final Duration SYNC = Duration.ofSeconds(10);

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final MonotonicClock clock;
  private final Map<TopicPartition, Long> finished = new HashMap<>();
  private final Map<TopicPartition, Long> sent = new HashMap<>();
  private long lastMillis;

  OffsetCommitter(String name, Consumer<byte[], byte[]> consumer, MonotonicClock clock) {
    this.name = name;
    this.consumer = consumer;
    this.clock = clock;
    this.lastMillis = clock.millis();
  }

  /** Keeps the committable offset of a progress object that is about to be replaced. */
  void remember(PartitionProgress progress) {
    if (progress.committable() >= 0) {
      finished.put(progress.partition(), progress.committable());
    }
  }

  /**
   * Commits the positions to which partitions were set, before any message is read: the group must
   * not choose them again, nor count the messages before them again.
   */
  void commitReset(Map<TopicPartition, Long> positions) {
    finished.putAll(positions);
    commit(offsets(positions.keySet()));
  }

  void forget(TopicPartition partition) {
    finished.remove(partition);
    sent.remove(partition);
  }

  /**
   * Notes how far partitions were read: behind their last message there may be offsets without one,
   * such as those of transaction markers. All messages that were polled must have been added.
   */
  void readPositions(Collection<PartitionProgress> all) {
    for (PartitionProgress each : all) {
      if (each.isOpen() && each.unfinished() == 0) {
        try {
          each.readTo(consumer.position(each.partition(), Duration.ZERO));
        } catch (KafkaException e) {
          // It has no position; the next poll has the reason.
        }
      }
    }
  }

  void commitIfDue(Collection<PartitionProgress> all) {
    long now = clock.millis();
    if (now - lastMillis < EVERY_MILLIS) {
      return;
    }
    lastMillis = now;
    readPositions(all);
    all.forEach(this::remember);
    Map<TopicPartition, OffsetAndMetadata> offsets = offsets(finished.keySet());
    sent.forEach((partition, offset) -> offsets.remove(partition, new OffsetAndMetadata(offset)));
    if (offsets.isEmpty()) {
      return;
    }
    consumer.commitAsync(
        offsets,
        (committed, failure) -> {
          if (failure == null) {
            return;
          }
          // The next commit covers it; messages that are never committed are read again.
          offsets.keySet().forEach(sent::remove);
          if (failure instanceof RebalanceInProgressException) {
            LOG.info("{}: a commit waits for the end of a rebalance", name);
          } else {
            LOG.warn("{}: a commit failed, {}", name, failure.toString());
          }
        });
    offsets.forEach((partition, offset) -> sent.put(partition, offset.offset()));
  }

  /** Commits synchronously. A failure is logged, and the messages are read again. */
  void commitNow(Collection<PartitionProgress> all) {
    all.forEach(this::remember);
    Set<TopicPartition> partitions = new HashSet<>();
    all.forEach(each -> partitions.add(each.partition()));
    commit(offsets(partitions));
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Long offset = finished.get(partition);
      if (offset != null) {
        offsets.put(partition, new OffsetAndMetadata(offset));
      }
    }
    return offsets;
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (offsets.isEmpty()) {
      return;
    }
    try {
      try {
        consumer.commitSync(offsets, SYNC);
      } catch (WakeupException e) {
        // The wake-up was meant for a poll that had already returned.
        consumer.commitSync(offsets, SYNC);
      }
    } catch (KafkaException e) {
      LOG.warn("{}: a commit failed, uncommitted messages are read again: {}", name, e.toString());
    }
  }
}
