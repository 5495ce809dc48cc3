package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One membership in the consumer group: polls, and tracks the assigned partitions, their pauses and
 * their commits. For the polling thread, except {@link #problem}, {@link #joined} and {@link
 * #waitsFor}. This thread never touches HBase, which may block, because it must return to Kafka.
 *
 * <pre>
 *   Kafka --- poll ---- MessageQueue ---- writing thread ---- HBase
 *     ^                                                         |
 *     +------ commit ------ PartitionProgress --- answers ------+
 * </pre>
 *
 * <p>Each {@link #round}:
 *
 * <ol>
 *   <li>Partitions that failed: when none of their messages is in flight any more, and the back-off
 *       is over, they are read again from the first message that is not stored, with a progress of
 *       their own, so that a late answer counts for no newer attempt.
 *   <li>Partitions are paused while the queue is full (until it is half empty), too many messages
 *       behind an unfinished one wait, they failed, have a damaged batch, or their next message is
 *       not due.
 *   <li>Polled messages go to the queue. A requeued message or a request is held until its delay is
 *       over, a request also until the raw points before it are stored; its partition then stands
 *       at its offset.
 *   <li>Offsets up to which all messages are stored are committed when due, and lags are measured.
 *   <li>Offsets that do not exist are replaced by the first one that does. A damaged batch ends the
 *       session the first time, and stops its partition alone the second time.
 * </ol>
 *
 * <p>Partitions that are revoked are closed: the session waits for the answers, within the drain
 * timeout, commits and forgets them.
 */
final class ConsumerSession implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerSession.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration POLL_FULL = Duration.ofMillis(10);
  private static final long LOOK_AGAIN_MILLIS = 500;
  private static final Duration END = Duration.ofSeconds(10);
  private static final long NOT_DUE = -1;

  /**
   * Limit of the messages from the first unfinished one of a partition on, or the in-flight limit
   * if that is larger.
   */
  private static final int MIN_UNFINISHED = 1 << 18;

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final GroupContext context;
  private final MessageQueue queue;
  private final Storage storage;
  private final Timeouts timeouts;
  private final OffsetCommitter committer;
  private final LagMeter lagMeter;
  private final AckTimeoutCheck ackTimeouts;

  private final Map<TopicPartition, PartitionProgress> progress = new HashMap<>();
  private final Map<TopicPartition, Long> retryAt = new HashMap<>();
  private final Map<TopicPartition, HeldMessage> held = new HashMap<>();
  private final Map<TopicPartition, String> waiting = new ConcurrentHashMap<>();
  private final Set<TopicPartition> unreadable = new HashSet<>();

  /**
   * Where a partition ended when its last message with a wrong time was read first: those before
   * this offset were there, and are due together.
   */
  private final Map<TopicPartition, HeldMessage> wrongTimes = new HashMap<>();

  private final int maxUnfinished;

  /** A message at which a partition stands until the message is due. */
  private static final class HeldMessage {
    final long offset;

    /** When it was first read, milliseconds since the epoch. */
    final long readMillis;

    /** Time of {@link MonotonicClock}. */
    long dueMillis;

    HeldMessage(long offset, long readMillis, long dueMillis) {
      this.offset = offset;
      this.readMillis = readMillis;
      this.dueMillis = dueMillis;
    }
  }

  private boolean subscribed;
  private boolean full;
  private long lastRound;
  private volatile boolean joined;
  private volatile @Nullable String damaged;

  ConsumerSession(
      String name,
      Consumer<byte[], byte[]> consumer,
      GroupContext context,
      MessageQueue queue,
      Storage storage,
      Timeouts timeouts) {
    this.name = name;
    this.consumer = consumer;
    this.context = context;
    this.queue = queue;
    this.storage = storage;
    this.timeouts = timeouts;
    this.committer = new OffsetCommitter(name, consumer, context.monotonicClock);
    this.lagMeter = new LagMeter(consumer, context);
    this.maxUnfinished = Math.max(MIN_UNFINISHED, context.config.maxInFlight());
    this.ackTimeouts = new AckTimeoutCheck(name, context, storage, timeouts.ackMillis);
    this.lastRound = context.monotonicClock.millis();
  }

  boolean joined() {
    return joined;
  }

  /** Why there is no progress; null if there is no problem. */
  @Nullable String problem() {
    String missing = lagMeter.problem();
    if (missing != null) {
      return missing;
    }
    String batch = damaged;
    return batch != null ? batch : ackTimeouts.problem();
  }

  /** Polls once, retries, pauses, commits and measures; takes a tenth of a second at most. */
  void round() {
    long now = context.monotonicClock.millis();
    queue.checkWriter();
    retryFailed(now);
    pause();
    try {
      if (!subscribe()) {
        return;
      }
      queue.polledValues.nextPoll();
      accept(consumer.poll(full ? POLL_FULL : POLL));
      committer.commitIfDue(progress.values());
      lagMeter.measureIfDue(progress, waitingPartitions());
    } catch (NoOffsetForPartitionException e) {
      if (context.firstStartCheck.mayStart(consumer)) {
        committer.commitReset(context.offsetReset.start(consumer, e.partitions()));
      }
    } catch (OffsetOutOfRangeException e) {
      continueAtBeginning(e.offsetOutOfRangePartitions());
    } catch (KafkaException e) {
      if (!stopsOnePartition(e)) {
        throw e;
      }
    }
  }

  /**
   * Continues partitions with their first existing message, and commits that offset unless a
   * message before it has not finished.
   *
   * @param wanted their positions, which do not exist
   */
  private void continueAtBeginning(Map<TopicPartition, Long> wanted) {
    Map<TopicPartition, Long> positions = context.offsetReset.outOfRange(consumer, wanted);
    Map<TopicPartition, Long> committed = new HashMap<>();
    positions.forEach(
        (partition, position) -> {
          PartitionProgress each = progress.get(partition);
          boolean madeAnew = position <= Objects.requireNonNull(wanted.get(partition));
          if (madeAnew) {
            held.remove(partition);
            wrongTimes.remove(partition);
          }
          if (each == null || each.readTo(position)) {
            committed.put(partition, position);
          } else if (madeAnew) {
            each.rewind(position);
            committed.put(partition, position);
          }
        });
    committer.commitReset(committed);
  }

  /** Begins with the new log of a partition, after the messages of the former one. */
  private void beginNewLog(PartitionProgress former) {
    TopicPartition partition = former.partition();
    int lost = former.unfinished();
    StorageFailure failure = former.failure();
    if (lost > 0 && failure != null) {
      context.stats.lostOffsets(lost);
      LOG.error(
          "{}: up to {} messages of {} from offset {} on are lost: it was made anew or cut off"
              + " before they were stored, and {}",
          name,
          lost,
          partition,
          former.firstUnfinished(),
          failure.describe());
    }
    retryAt.remove(partition);
    held.remove(partition);
    consumer.seek(partition, former.rewindTo());
    progress.put(partition, new PartitionProgress(partition, 0));
  }

  /**
   * Whether a batch is damaged for the second time. Then only its partition stops. After the first
   * time a new session retries, because another broker may have an intact copy.
   */
  private boolean stopsOnePartition(KafkaException e) {
    TopicPartition partition = DamagedBatches.partitionOf(e, progress.keySet());
    if (partition == null) {
      return false;
    }
    long offset = consumer.position(partition);
    if (!context.damaged.isSecond(partition, offset)) {
      return false;
    }
    unreadable.add(partition);
    damaged =
        partition
            + " has a damaged batch at offset "
            + offset
            + ", set the group's offset behind it to continue: "
            + DamagedBatches.describe(e);
    LOG.error("{}: {}", name, damaged);
    return true;
  }

  /** Joins the group once; returns false while the brokers do not answer. */
  private boolean subscribe() {
    if (!subscribed) {
      try {
        context.offsetReset.prepare(consumer);
      } catch (TimeoutException e) {
        return false;
      }
      consumer.subscribe(context.config.topics(), this);
      subscribed = true;
    }
    return true;
  }

  private void accept(ConsumerRecords<byte[], byte[]> records) {
    List<QueuedMessage> polled = new ArrayList<>(records.count());
    long now = context.clock.millis();
    try {
      for (TopicPartition partition : records.partitions()) {
        PartitionProgress open = progress.get(partition);
        // A failed partition is later read again from the failed message.
        if (open == null || !open.isOpen()) {
          continue;
        }
        for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
          long readMillis = readMillisIfDue(partition, record, now);
          if (readMillis == NOT_DUE) {
            break;
          }
          context.stats.consumed();
          polled.add(new QueuedMessage(record, open, open.add(record.offset()), readMillis));
        }
      }
    } finally {
      // Messages that are counted as consumed must end, as stored or as read again.
      queue.addAll(polled);
    }
  }

  /**
   * When this consumer first read a record, milliseconds since the epoch, if the delay of a
   * requeued message or of a request is over; else {@link #NOT_DUE}, and its partition is paused.
   */
  private long readMillisIfDue(
      TopicPartition partition, ConsumerRecord<byte[], byte[]> record, long readMillis) {
    if (!context.config.type().delayed()) {
      return readMillis;
    }
    long now = context.monotonicClock.millis();
    HeldMessage known = held.get(partition);
    HeldMessage message =
        known != null && known.offset == record.offset()
            ? known
            : heldMessage(record, readMillis, now);
    // The clock may have been ahead, and set right since.
    long firstRead = Math.min(message.readMillis, readMillis);
    if (message.dueMillis <= now
        && context.config.type() == ConsumerType.REPAIR
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
  private HeldMessage heldMessage(ConsumerRecord<byte[], byte[]> record, long read, long now) {
    long delay = context.config.requeueDelayMillis();
    long written =
        MessageHeaders.number(record.headers(), MessageHeaders.REQUEUED_AT, record.timestamp());
    if (!MessageHeaders.isWrong(written, read)) {
      long age = Math.max(0, read - written);
      return new HeldMessage(record.offset(), read, now + Math.max(0, delay - age));
    }
    context.stats.wrongTime();
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    HeldMessage known = wrongTimes.get(partition);
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
      known = new HeldMessage(Math.max(end, record.offset() + 1), read, now + delay);
      wrongTimes.put(partition, known);
    }
    return new HeldMessage(record.offset(), known.readMillis, known.dueMillis);
  }

  /** Whether raw points that Kafka had when a request was written may not be stored yet. */
  private boolean waitsForPoints(TopicPartition partition, long requestedAt) {
    // Half of the delay covers differences between the clocks of the TSD and of the producer.
    String reason =
        context.rawBacklog.notStoredBefore(requestedAt + context.config.requeueDelayMillis() / 2);
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

  /** Reads partitions again after a storage failure, from their first unfinished message. */
  private void retryFailed(long now) {
    long elapsed = now - lastRound;
    lastRound = now;
    ackTimeouts.check(progress.values(), now);
    List<PartitionProgress> failed = new ArrayList<>();
    List<PartitionProgress> ended = new ArrayList<>();
    for (PartitionProgress each : progress.values()) {
      if (each.failure() != null) {
        failed.add(each);
      } else if (each.rewindTo() >= 0 && each.unfinished() == 0) {
        ended.add(each);
      }
    }
    ended.forEach(this::beginNewLog);
    for (PartitionProgress each : failed) {
      context.stats.paused(elapsed);
      // Otherwise late answers and old writes would mix with the new attempt's answers and writes.
      if (each.inFlight() == 0 && each.rewindTo() >= 0) {
        beginNewLog(each);
      } else if (each.inFlight() == 0) {
        retry(each, now);
      }
    }
  }

  private void retry(PartitionProgress failed, long now) {
    TopicPartition partition = failed.partition();
    int attempt = failed.attempt();
    Long at = retryAt.get(partition);
    if (at == null) {
      retryAt.put(partition, now + Backoff.millis(attempt));
    } else if (now >= at) {
      retryAt.remove(partition);
      committer.remember(failed);
      consumer.seek(partition, failed.firstUnfinished());
      held.remove(partition);
      progress.put(partition, new PartitionProgress(partition, attempt + 1));
      LOG.info("{}: {} continues at offset {}", name, partition, failed.firstUnfinished());
    }
  }

  private void pause() {
    full = full ? !queue.isHalfEmpty() : queue.isFull();
    Set<TopicPartition> pause = waitingPartitions();
    for (PartitionProgress each : progress.values()) {
      boolean stands = each.unfinished() >= maxUnfinished || unreadable.contains(each.partition());
      if (full || stands || !each.isOpen() || each.rewindTo() >= 0) {
        pause.add(each.partition());
      }
    }
    Set<TopicPartition> paused = consumer.paused();
    Set<TopicPartition> resume = new HashSet<>(paused);
    resume.removeAll(pause);
    pause.removeAll(paused);
    if (!pause.isEmpty()) {
      consumer.pause(pause);
    }
    if (!resume.isEmpty()) {
      consumer.resume(resume);
    }
  }

  /** Partitions whose next message is not due yet. */
  private Set<TopicPartition> waitingPartitions() {
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

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      progress.put(partition, new PartitionProgress(partition, 0));
      context.lag.assigned(partition);
      context.storedTimes.assigned(partition);
    }
    joined = true;
    LOG.info("{} was assigned {} and has {}", name, partitions, progress.keySet());
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    LOG.info("{} gives up {}", name, partitions);
    finish(partitions);
    forget(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("{} has lost {}: another consumer may have them already", name, partitions);
    forget(partitions);
  }

  private void forget(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      PartitionProgress gone = progress.remove(partition);
      if (gone != null) {
        gone.close();
        if (gone.inFlight() > 0) {
          context.revoked.add(gone);
        }
      }
      retryAt.remove(partition);
      held.remove(partition);
      wrongTimes.remove(partition);
      waiting.remove(partition);
      if (unreadable.remove(partition) && unreadable.isEmpty()) {
        damaged = null;
      }
      committer.forget(partition);
      context.lag.revoked(partition);
      context.storedTimes.revoked(partition);
      context.failedAttempts.forget(partition);
    }
  }

  /** Closes partitions, waits for their messages in flight, and commits. */
  private void finish(Collection<TopicPartition> partitions) {
    List<PartitionProgress> closed = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      PartitionProgress each = progress.get(partition);
      if (each != null) {
        each.close();
        closed.add(each);
      }
    }
    storage.flush();
    long until = System.nanoTime() + timeouts.drainMillis * 1_000_000;
    int unanswered = 0;
    try {
      for (PartitionProgress each : closed) {
        each.awaitAnswers(Math.max(0, (until - System.nanoTime()) / 1_000_000));
        unanswered += each.inFlight();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (unanswered > 0) {
      LOG.warn(
          "{}: HBase has not answered for {} messages after {} ms; they will be read again",
          name,
          unanswered,
          timeouts.drainMillis);
    }
    committer.commitNow(closed);
  }

  /**
   * Ends the session: waits for messages in flight and commits, within the drain timeout. Not the
   * consumer's positions: a wake-up may have come between a poll and the messages' progress.
   */
  void drain() {
    finish(new ArrayList<>(progress.keySet()));
  }

  /** Closes all partitions without waiting, after a failure. */
  void abandon() {
    forget(new ArrayList<>(progress.keySet()));
  }
}
