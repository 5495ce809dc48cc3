package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.store.OtherWidths;
import java.time.Duration;
import java.util.Collection;
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
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the start position of a partition without a committed offset, or with one out of range.
 * Thread-safe.
 *
 * <ol>
 *   <li>{@link #prepare}, before the consumer joins the group: finds the topics that are new to the
 *       group.
 *   <li>{@link #mayStart}: a group of type ROLLUP without any offset may not read while its topic's
 *       rollups may already be stored with cells of other widths, nor may a group of type REPAIR,
 *       which would write them again.
 *   <li>{@link #start}: partitions without an offset begin at their beginning or end.
 *   <li>{@link #outOfRange}: others continue with the first message that exists; what was deleted
 *       unread is counted.
 * </ol>
 *
 * <p>Kafka's client could do this, but does not report messages that were deleted before they were
 * read. With {@code auto.offset.reset=latest} it also starts at the end whenever a partition has no
 * offset: after every restart before the first message, and for partitions that were added later.
 * Here only those partitions start at the end that existed when the group first read the topic.
 */
final class StartOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(StartOffsets.class);
  private static final Duration WAIT = Duration.ofSeconds(10);

  private static final long LOOK_MILLIS = 100;

  private final GroupConfig group;
  private final GroupStats stats;
  private final OtherWidths otherWidths;
  private final boolean latest;

  /** Partitions that start at their end. */
  private final Set<TopicPartition> atEnd = new HashSet<>();

  /** The ends at which they started: the commit of one may have failed. */
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  /** Partition to the offsets that were counted as lost: the first one, and that after the last. */
  private final Map<TopicPartition, long[]> counted = new HashMap<>();

  private boolean prepared;

  StartOffsets(GroupConfig group, GroupStats stats, OtherWidths otherWidths) {
    this.group = group;
    this.otherWidths = otherWidths;
    this.stats = stats;
    this.latest = "latest".equals(group.kafka.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
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
    for (String topic : group.topics) {
      Set<TopicPartition> partitions = partitions(consumer, topic);
      if (!partitions.isEmpty() && isNew(consumer, partitions)) {
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
   * Returns true if the group may start, false while the scan of the rollup tables is running.
   *
   * @throws IllegalStateException when the operator has to choose the start offsets
   */
  boolean mayStart(Consumer<byte[], byte[]> consumer) {
    boolean repairs = group.type == ConsumerType.REPAIR;
    if ((group.type != ConsumerType.ROLLUP && !repairs)
        || group.kafka.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG) != null) {
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
          String.format(
              "group %s has no offsets, and %srollups are stored on other widths: %s%s"
                  + " auto.offset.reset to latest or earliest; docs/kafka-ingest.md, Cells of other"
                  + " widths",
              group.name,
              otherWidths.cells() > 0 ? "" : "it is not known whether ",
              found,
              repairs
                  ? ". A repair of their intervals would store them twice and fail queries. Set"
                  : ". If these came from this topic, by opentsdb-rpc-kafka, they would be stored"
                      + " twice and fail queries. Set the group's offsets to where that one"
                      + " stopped, or"));
    }
    return true;
  }

  /** Whether it has no offset at all: a group that has started may get new partitions. */
  private boolean isNew(Consumer<byte[], byte[]> consumer) {
    Set<TopicPartition> all = new HashSet<>();
    group.topics.forEach(topic -> all.addAll(partitions(consumer, topic)));
    return isNew(consumer, all);
  }

  private static boolean isNew(Consumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
    return consumer.committed(partitions, WAIT).values().stream().allMatch(Objects::isNull);
  }

  /**
   * Seeks partitions without an offset to the beginning, or with {@code latest} to the end of those
   * that existed at first.
   *
   * @return the positions, to be committed immediately: after a restart the end would differ, and
   *     messages that retention deletes before they are read are only then seen to be lost
   */
  synchronized Map<TopicPartition, Long> start(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    Set<TopicPartition> toEnd = new HashSet<>(partitions);
    toEnd.retainAll(atEnd);
    Set<TopicPartition> toBeginning = new HashSet<>(partitions);
    toBeginning.removeAll(toEnd);
    Map<TopicPartition, Long> positions = new HashMap<>();
    if (!toEnd.isEmpty()) {
      Set<TopicPartition> first = new HashSet<>(toEnd);
      first.removeAll(ends.keySet());
      if (!first.isEmpty()) {
        ends.putAll(consumer.endOffsets(first, WAIT));
      }
      positions.putAll(ends);
      positions.keySet().retainAll(toEnd);
      LOG.info("group {} has no offset and starts at the end: {}", group.name, positions);
    }
    if (!toBeginning.isEmpty()) {
      LOG.info("group {} has no offset for {}: starts at the beginning", group.name, toBeginning);
      positions.putAll(consumer.beginningOffsets(toBeginning, WAIT));
    }
    positions.forEach(consumer::seek);
    return positions;
  }

  /**
   * Handles offsets out of range: continues with the first existing message, logs and counts.
   *
   * @return the positions, to be committed when all messages before them have finished: else the
   *     next owner of a partition without new messages would count the same ones again
   */
  synchronized Map<TopicPartition, Long> outOfRange(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> wanted) {
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(wanted.keySet(), WAIT);
    wanted.forEach(
        (partition, offset) -> {
          long beginning = Objects.requireNonNull(beginnings.get(partition));
          if (beginning > offset) {
            long lost = count(partition, offset, beginning);
            if (lost > 0) {
              stats.add(Count.LOST_MESSAGES, lost);
              LOG.error(
                  "group {}: offsets {} to {} of {} were deleted before they were read: up to {}"
                      + " messages, since transactions leave offsets without a message; the"
                      + " topic's retention is shorter than the group's lag",
                  group.name,
                  offset,
                  beginning - 1,
                  partition,
                  lost);
            }
          } else {
            counted.remove(partition);
            LOG.error(
                "group {}: {} ends before offset {}: it was created again or cut off; all of it is"
                    + " read again",
                group.name,
                partition,
                offset);
          }
        });
    beginnings.forEach(consumer::seek);
    return beginnings;
  }

  /**
   * Returns how many of the lost offsets were not counted before: the commit may have failed, or
   * messages before them have failed and are lost now, too.
   */
  private long count(TopicPartition partition, long from, long to) {
    long[] known = counted.get(partition);
    // A log never begins earlier than before: then this is another one.
    if (known == null || from > known[1] || known[1] > to) {
      counted.put(partition, new long[] {from, to});
      return to - from;
    }
    counted.put(partition, new long[] {Math.min(known[0], from), to});
    return to - from - (known[1] - Math.max(known[0], from));
  }
}
