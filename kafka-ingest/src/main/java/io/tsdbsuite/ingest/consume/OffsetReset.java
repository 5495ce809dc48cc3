package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a partition is read from when Kafka has no offset for it, or one that is not there any
 * more.
 *
 * <p>Kafka's client can do this by itself, and says nothing about the messages that were deleted
 * before anybody read them.
 */
final class OffsetReset {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetReset.class);

  private final GroupConfig group;
  private final GroupStats stats;

  OffsetReset(GroupConfig group, GroupStats stats) {
    this.group = group;
    this.stats = stats;
  }

  /** A group without offsets starts at the beginning, unless auto.offset.reset is latest. */
  void start(Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    boolean latest = "latest".equals(group.kafka().get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
    LOG.info(
        "group {} has no offset for {} and starts at the {}",
        group.name(),
        partitions,
        latest ? "end" : "beginning");
    if (latest) {
      consumer.seekToEnd(partitions);
    } else {
      consumer.seekToBeginning(partitions);
    }
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
