package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the start position of a partition without a committed offset, or with one out of range.
 * Thread-safe.
 *
 * <p>Kafka's client could do this, but does not report messages that were deleted before they were
 * read. With {@code auto.offset.reset=latest} it also starts at the end whenever a partition has no
 * offset: after every restart before the first message, and for partitions that were added later.
 * Here only those partitions start at the end that existed when the group first read the topic.
 */
final class OffsetReset {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetReset.class);
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final GroupConfig group;
  private final GroupStats stats;
  private final boolean latest;

  /** Partitions that start at their end. */
  private final Set<TopicPartition> atEnd = new HashSet<>();

  private boolean prepared;

  OffsetReset(GroupConfig group, GroupStats stats) {
    this.group = group;
    this.stats = stats;
    this.latest = "latest".equals(group.kafka().get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
    this.prepared = !latest;
  }

  /**
   * Finds the topics that are new to the group. Must run before the consumer joins the group: then
   * consumers that get partitions in this rebalance have not committed yet, and consumers that had
   * them before have committed their start positions.
   *
   * @throws org.apache.kafka.common.errors.TimeoutException when the brokers do not answer; retry
   */
  synchronized void prepare(Consumer<byte[], byte[]> consumer) {
    if (prepared) {
      return;
    }
    Set<TopicPartition> found = new HashSet<>();
    for (String topic : group.topics()) {
      Set<TopicPartition> partitions = partitions(consumer, topic);
      if (!partitions.isEmpty()
          && consumer.committed(partitions, WAIT).values().stream().allMatch(Objects::isNull)) {
        found.addAll(partitions);
      }
    }
    atEnd.addAll(found);
    prepared = true;
  }

  private static Set<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic) {
    List<PartitionInfo> infos = consumer.partitionsFor(topic, WAIT);
    Set<TopicPartition> partitions = new HashSet<>();
    if (infos != null) {
      infos.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    return partitions;
  }

  /**
   * Seeks partitions without an offset to the beginning, or with {@code latest} to the end of those
   * that existed at first.
   *
   * @return the end positions, to be committed immediately: after a restart they would differ
   */
  synchronized Map<TopicPartition, Long> start(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    Set<TopicPartition> toEnd = new HashSet<>(partitions);
    toEnd.retainAll(atEnd);
    Set<TopicPartition> toBeginning = new HashSet<>(partitions);
    toBeginning.removeAll(toEnd);
    Map<TopicPartition, Long> ends = new HashMap<>();
    if (!toEnd.isEmpty()) {
      ends.putAll(consumer.endOffsets(toEnd, WAIT));
      ends.forEach(consumer::seek);
      LOG.info("group {} has no offset and starts at the end: {}", group.name(), ends);
    }
    if (!toBeginning.isEmpty()) {
      LOG.info("group {} has no offset for {}: starts at the beginning", group.name(), toBeginning);
      consumer.seekToBeginning(toBeginning);
    }
    return ends;
  }

  /** Handles offsets out of range: continues with the first existing message, logs and counts. */
  void outOfRange(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> wanted) {
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(wanted.keySet());
    wanted.forEach(
        (partition, offset) -> {
          long beginning = Objects.requireNonNull(beginnings.get(partition));
          if (beginning > offset) {
            stats.lostOffsets(beginning - offset);
            LOG.error(
                "group {}: {} messages of {} were deleted before they were read, offsets {} to {}:"
                    + " the topic's retention is shorter than the group's lag",
                group.name(),
                beginning - offset,
                partition,
                offset,
                beginning - 1);
          } else {
            LOG.error(
                "group {}: {} ends before offset {}: it was made anew or cut off; all of it is"
                    + " read again",
                group.name(),
                partition,
                offset);
          }
          consumer.seekToBeginning(Collections.singleton(partition));
        });
  }
}
