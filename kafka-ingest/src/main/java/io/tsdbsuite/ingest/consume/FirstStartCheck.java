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
 * Decides whether a group without offsets may start reading. A group of type ROLLUP may not while
 * its topic's rollups may already be stored with cells of other widths, nor may a group of type
 * REPAIR, which would write them again. Thread-safe.
 */
final class FirstStartCheck {
  private static final long LOOK_MILLIS = 100;

  private final GroupConfig group;
  private final OtherWidths otherWidths;

  FirstStartCheck(GroupConfig group, OtherWidths otherWidths) {
    this.group = group;
    this.otherWidths = otherWidths;
  }

  /**
   * Returns true if the group may start, false while the scan of the rollup tables is running.
   *
   * @throws IllegalStateException when the operator has to choose the start offsets
   */
  boolean mayStart(Consumer<byte[], byte[]> consumer) {
    boolean repairs = group.type() == ConsumerType.REPAIR;
    if ((group.type() != ConsumerType.ROLLUP && !repairs)
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
              + (repairs
                  ? ". A repair of their intervals would store them twice and fail queries. Set"
                  : ". If these came from this topic, by opentsdb-rpc-kafka, they would be stored"
                      + " twice and fail queries. Set the group's offsets to where that one"
                      + " stopped, or")
              + " auto.offset.reset to latest or earliest; docs/kafka-ingest.md, Cells of other"
              + " widths");
    }
    return true;
  }

  /** Whether it has no offset at all: a group that has started may get new partitions. */
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
