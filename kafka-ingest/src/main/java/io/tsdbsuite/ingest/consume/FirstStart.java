package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.store.OtherWidths;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Whether a group that has no offsets may begin by itself: not where its topic's rollups may be
 * stored already, on other widths. Thread-safe.
 */
final class FirstStart {
  private static final long LOOK_MILLIS = 100;

  private final GroupConfig group;
  private final OtherWidths otherWidths;

  FirstStart(GroupConfig group, OtherWidths otherWidths) {
    this.group = group;
    this.otherWidths = otherWidths;
  }

  /**
   * Answers true if it may begin, false while the rollup tables have not been looked at.
   *
   * @throws IllegalStateException when somebody has to decide where to begin
   */
  boolean mayBegin(Consumer<byte[], byte[]> consumer) {
    if (group.type() != ConsumerType.ROLLUP
        || group.kafka().get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG) != null) {
      return true;
    }
    try {
      if (!otherWidths.await(LOOK_MILLIS)) {
        return false;
      }
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    String found = otherWidths.found();
    if (found != null && isNew(consumer)) {
      throw new IllegalStateException(
          "group "
              + group.name()
              + " has no offsets, and "
              + (otherWidths.cells() > 0 ? "" : "it is not known whether ")
              + "rollups are stored on other widths: "
              + found
              + ". If these came from this topic, by opentsdb-rpc-kafka, they would be stored twice"
              + " and fail queries. Set the group's offsets to where that one stopped, or"
              + " auto.offset.reset to latest or earliest; docs/kafka-ingest.md, Cells of other"
              + " widths");
    }
    return true;
  }

  /** Whether it has no offset at all; one that has begun may get new partitions. */
  private boolean isNew(Consumer<byte[], byte[]> consumer) {
    Set<TopicPartition> all = new HashSet<>();
    for (String topic : group.topics()) {
      for (PartitionInfo partition : consumer.partitionsFor(topic)) {
        all.add(new TopicPartition(topic, partition.partition()));
      }
    }
    return consumer.committed(all).values().stream().allMatch(Objects::isNull);
  }
}
