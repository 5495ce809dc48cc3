package io.tsdbsuite.ingest.consume;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
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
  private final Clock clock;
  private final Map<TopicPartition, Long> done = new HashMap<>();
  private final Map<TopicPartition, Long> sent = new HashMap<>();
  private long lastMillis;

  Commits(String name, Consumer<byte[], byte[]> consumer, Clock clock) {
    this.name = name;
    this.consumer = consumer;
    this.clock = clock;
    this.lastMillis = clock.millis();
  }

  /** Takes over what an account has reached, since it is about to end. */
  void remember(PartitionProgress progress) {
    if (progress.committable() >= 0) {
      done.put(progress.partition(), progress.committable());
    }
  }

  void forget(TopicPartition partition) {
    done.remove(partition);
    sent.remove(partition);
  }

  void commitIfDue(Collection<PartitionProgress> all) {
    long now = clock.millis();
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
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (PartitionProgress each : all) {
      Long offset = done.get(each.partition());
      if (offset != null) {
        offsets.put(each.partition(), new OffsetAndMetadata(offset));
      }
    }
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
      LOG.warn("{}: the last commit failed, its messages are read again: {}", name, e.toString());
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
