package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.publish.MessageHeaders;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back requeued messages and requests until they are due. For the polling thread, except
 * {@link #waitsFor}.
 *
 * <ol>
 *   <li>A message is due when the group's delay has passed since it was requeued, or since Kafka
 *       has it. A request is due when, besides, the raw points before it are stored.
 *   <li>A time that cannot be counts as the time of the first reading. All messages of this kind
 *       that the partition had at that time are due together.
 *   <li>Until then the partition stands: its position is that of the message, and it is paused.
 * </ol>
 */
final class DueMessages {
  private static final Logger LOG = LoggerFactory.getLogger(DueMessages.class);
  private static final long LOOK_AGAIN_MILLIS = 500;
  private static final Duration END = Duration.ofSeconds(10);

  /** No time of reading: the message is not due. */
  static final long NOT_DUE = -1;

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final GroupContext context;

  private final Map<TopicPartition, Held> held = new HashMap<>();

  /**
   * Where a partition ended when its last message with a wrong time was read first: those before
   * this offset were there, and are due together.
   */
  private final Map<TopicPartition, Held> wrongTimes = new HashMap<>();

  private final Map<TopicPartition, String> waiting = new ConcurrentHashMap<>();

  /** A message at which a partition stands until the message is due. */
  private static final class Held {
    final long offset;

    /** When it was first read, milliseconds since the epoch. */
    final long readMillis;

    /** Time of {@link MonotonicClock}. */
    long dueMillis;

    Held(long offset, long readMillis, long dueMillis) {
      this.offset = offset;
      this.readMillis = readMillis;
      this.dueMillis = dueMillis;
    }
  }

  DueMessages(String name, Consumer<byte[], byte[]> consumer, GroupContext context) {
    this.name = name;
    this.consumer = consumer;
    this.context = context;
  }

  /**
   * When this consumer first read a record, milliseconds since the epoch, if it is due; else {@link
   * #NOT_DUE}, and its partition stands.
   */
  long readMillisIfDue(
      TopicPartition partition, ConsumerRecord<byte[], byte[]> record, long readMillis) {
    if (!context.config.type.delayed()) {
      return readMillis;
    }
    long now = context.monotonicClock.millis();
    Held known = held.get(partition);
    Held message =
        known != null && known.offset == record.offset() ? known : hold(record, readMillis, now);
    // The clock may have been ahead, and set right since.
    long firstRead = Math.min(message.readMillis, readMillis);
    if (message.dueMillis <= now
        && context.config.type == ConsumerType.REPAIR
        && waitsForPoints(partition, QueuedMessage.requestedAt(record, firstRead))) {
      message.dueMillis = now + LOOK_AGAIN_MILLIS;
    }
    if (message.dueMillis <= now) {
      held.remove(partition);
      return firstRead;
    }
    held.put(partition, message);
    consumer.seek(partition, record.offset());
    return NOT_DUE;
  }

  /** A record that is due after the delay at the latest, whatever time it has. */
  private Held hold(ConsumerRecord<byte[], byte[]> record, long read, long now) {
    long delay = context.config.requeueDelayMillis;
    long written =
        MessageHeaders.number(record.headers(), MessageHeaders.REQUEUED_AT, record.timestamp());
    if (!MessageHeaders.isWrong(written, read)) {
      long age = Math.max(0, read - written);
      return new Held(record.offset(), read, now + Math.max(0, delay - age));
    }
    context.stats.add(Count.WRONG_TIMES);
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    Held known = wrongTimes.get(partition);
    if (known == null) {
      LOG.warn(
          "{}: the message at offset {} of {} must have a time between 2000 and now, found {} ms"
              + " since the epoch; it counts as written now, as all others of this kind",
          name,
          record.offset(),
          partition,
          written);
    }
    if (known == null || record.offset() >= known.offset) {
      // Else each of them would wait for the delay after the one before it.
      long end =
          Objects.requireNonNull(
              consumer.endOffsets(Collections.singleton(partition), END).get(partition));
      known = new Held(Math.max(end, record.offset() + 1), read, now + delay);
      wrongTimes.put(partition, known);
    }
    return new Held(record.offset(), known.readMillis, known.dueMillis);
  }

  /** Whether raw points that Kafka had when a request was written may not be stored yet. */
  private boolean waitsForPoints(TopicPartition partition, long requestedAt) {
    // Half of the delay covers differences between the clocks of the TSD and of the producer.
    String reason = context.rawBacklog.apply(requestedAt + context.config.requeueDelayMillis / 2);
    if (reason == null) {
      waiting.remove(partition);
    } else {
      waiting.put(partition, reason);
    }
    return reason != null;
  }

  /** Why a request waits although its delay is over; null if none waits. */
  @Nullable String waitsFor() {
    for (String reason : waiting.values()) {
      return reason;
    }
    return null;
  }

  /** Partitions whose next message is not due yet. */
  Set<TopicPartition> partitions() {
    long now = context.monotonicClock.millis();
    Set<TopicPartition> partitions = new HashSet<>();
    held.forEach(
        (partition, message) -> {
          if (message.dueMillis > now) {
            partitions.add(partition);
          }
        });
    return partitions;
  }

  /** The position of a partition was set. */
  void moved(TopicPartition partition) {
    held.remove(partition);
  }

  /** A partition has a new log, with other offsets. */
  void beginsNewLog(TopicPartition partition) {
    held.remove(partition);
    wrongTimes.remove(partition);
  }

  /** The partition was revoked. */
  void forget(TopicPartition partition) {
    beginsNewLog(partition);
    waiting.remove(partition);
  }
}
