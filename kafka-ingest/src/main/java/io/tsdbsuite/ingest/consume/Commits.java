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

/** Commits what is done, and nothing else. For the polling thread. */
final class Commits {
  private static final Logger LOG = LoggerFactory.getLogger(Commits.class);
  private static final long EVERY_MILLIS = 1_000;
  private static final Duration SYNC = Duration.ofSeconds(10);

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final Uptime uptime;
  private final Map<TopicPartition, Long> done = new HashMap<>();
  private final Map<TopicPartition, Long> sent = new HashMap<>();
  private long lastMillis;

  Commits(String name, Consumer<byte[], byte[]> consumer, Uptime uptime) {
    this.name = name;
    this.consumer = consumer;
    this.uptime = uptime;
    this.lastMillis = uptime.millis();
  }

  /** Takes over what an account has reached, since it is about to end. */
  void remember(PartitionProgress progress) {
    if (progress.committable() >= 0) {
      done.put(progress.partition(), progress.committable());
    }
  }

  /** Commits where partitions start, before anything of them is read. */
  void commitStart(Map<TopicPartition, Long> positions) {
    done.putAll(positions);
    commit(offsets(positions.keySet()));
  }

  void forget(TopicPartition partition) {
    done.remove(partition);
    sent.remove(partition);
  }

  void commitIfDue(Collection<PartitionProgress> all) {
    long now = uptime.millis();
    if (now - lastMillis < EVERY_MILLIS) {
      return;
    }
    lastMillis = now;
    Map<TopicPartition, OffsetAndMetadata> offsets = pending(all);
    if (offsets.isEmpty()) {
      return;
    }
    consumer.commitAsync(
        offsets,
        (committed, failure) -> {
          if (failure == null) {
            return;
          }
          // The next one covers it; what is never committed is read again.
          offsets.keySet().forEach(sent::remove);
          if (failure instanceof RebalanceInProgressException) {
            LOG.info("{}: a commit waits for the end of a rebalance", name);
          } else {
            LOG.warn("{}: a commit failed, {}", name, failure.toString());
          }
        });
    offsets.forEach((partition, offset) -> sent.put(partition, offset.offset()));
  }

  /** Commits and waits; a failure is logged, and the messages are read again. */
  void commitNow(Collection<PartitionProgress> all) {
    all.forEach(this::remember);
    Set<TopicPartition> partitions = new HashSet<>();
    all.forEach(each -> partitions.add(each.partition()));
    commit(offsets(partitions));
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Long offset = done.get(partition);
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
        // The wake-up was for the poll, which had ended by itself.
        consumer.commitSync(offsets, SYNC);
      }
    } catch (KafkaException e) {
      LOG.warn(
          "{}: a commit failed, what is not committed later is read again: {}", name, e.toString());
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> pending(Collection<PartitionProgress> all) {
    all.forEach(this::remember);
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    done.forEach(
        (partition, offset) -> {
          if (!offset.equals(sent.get(partition))) {
            offsets.put(partition, new OffsetAndMetadata(offset));
          }
        });
    return offsets;
  }
}
