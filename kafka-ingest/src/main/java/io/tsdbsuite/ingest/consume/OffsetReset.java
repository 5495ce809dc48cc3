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
 * Where a partition is read from when Kafka has no offset for it, or one that is not there any
 * more.
 *
 * <p>Kafka's client can do this by itself, and says nothing about the messages that were deleted
 * before anybody read them. And with {@code auto.offset.reset=latest} it starts at the end of a
 * partition as often as it meets it without an offset: after each restart, while nothing came, and
 * at a partition that was born since. Here the end is where a topic's partitions are begun that
 * were there when the group came to the topic, and no others. Thread-safe.
 */
final class OffsetReset {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetReset.class);
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final GroupConfig group;
  private final GroupStats stats;
  private final boolean latest;

  /** Partitions that are begun at their end. */
  private final Set<TopicPartition> old = new HashSet<>();

  private boolean prepared;

  OffsetReset(GroupConfig group, GroupStats stats) {
    this.group = group;
    this.stats = stats;
    this.latest = "latest".equals(group.kafka().get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
    this.prepared = !latest;
  }

  /**
   * Looks which topics are new to the group. Must be done before the consumer joins the group: then
   * whoever has been given partitions in this round has not committed yet, and whoever had them
   * before has committed where they start.
   *
   * @throws org.apache.kafka.common.errors.TimeoutException when the brokers do not answer; to be
   *     tried again
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
    old.addAll(found);
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
   * A group without offsets starts at the beginning, or with {@code latest} at the end of what is
   * there.
   *
   * @return positions at ends, to be committed at once: else they would be others the next time
   */
  synchronized Map<TopicPartition, Long> start(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    Set<TopicPartition> atEnd = new HashSet<>(partitions);
    atEnd.retainAll(old);
    Set<TopicPartition> atBeginning = new HashSet<>(partitions);
    atBeginning.removeAll(atEnd);
    Map<TopicPartition, Long> ends = new HashMap<>();
    if (!atEnd.isEmpty()) {
      ends.putAll(consumer.endOffsets(atEnd, WAIT));
      ends.forEach(consumer::seek);
      LOG.info("group {} has no offset and starts at the end: {}", group.name(), ends);
    }
    if (!atBeginning.isEmpty()) {
      LOG.info("group {} has no offset for {}: starts at the beginning", group.name(), atBeginning);
      consumer.seekToBeginning(atBeginning);
    }
    return ends;
  }

  /** The offsets to read from are out of range: go on with what is there, and tell. */
  void outOfRange(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> wanted) {
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(wanted.keySet());
    wanted.forEach(
        (partition, offset) -> {
          long beginning = beginnings.get(partition);
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
