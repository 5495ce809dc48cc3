package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

  /**
   * Limit of the messages from the first unfinished one of a partition on, or the in-flight limit
   * if that is larger.
   */
  private static final int MIN_UNFINISHED = 1 << 18;

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final GroupContext context;
  private final MessageQueue queue;
  private final OffsetCommitter committer;
  private final LagMeter lagMeter;
  private final AckTimeoutCheck ackTimeouts;
  private final DueMessages due;

  private final Map<TopicPartition, PartitionProgress> progress = new HashMap<>();
  private final Map<TopicPartition, Long> retryAt = new HashMap<>();
  private final Set<TopicPartition> unreadable = new HashSet<>();

  private final int maxUnfinished;

  private boolean subscribed;
  private boolean full;
  private long lastRound;
  private volatile boolean joined;
  private volatile @Nullable String damaged;

  ConsumerSession(
      String name, Consumer<byte[], byte[]> consumer, GroupContext context, MessageQueue queue) {
    this.name = name;
    this.consumer = consumer;
    this.context = context;
    this.queue = queue;
    this.committer = new OffsetCommitter(name, consumer, context.monotonicClock);
    this.lagMeter = new LagMeter(consumer, context);
    this.maxUnfinished = Math.max(MIN_UNFINISHED, context.config.maxInFlight);
    this.ackTimeouts = new AckTimeoutCheck(name, context);
    this.due = new DueMessages(name, consumer, context);
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
      lagMeter.measureIfDue(progress, due.partitions());
    } catch (NoOffsetForPartitionException e) {
      if (context.startOffsets.mayStart(consumer)) {
        committer.commitReset(context.startOffsets.start(consumer, e.partitions()));
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
    Map<TopicPartition, Long> positions = context.startOffsets.outOfRange(consumer, wanted);
    Map<TopicPartition, Long> committed = new HashMap<>();
    positions.forEach(
        (partition, position) -> {
          PartitionProgress each = progress.get(partition);
          boolean recreated = position <= Objects.requireNonNull(wanted.get(partition));
          if (recreated) {
            due.beginsNewLog(partition);
          }
          if (each == null || each.readTo(position)) {
            committed.put(partition, position);
          } else if (recreated) {
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
      context.stats.add(Count.LOST_MESSAGES, lost);
      LOG.error(
          "{}: up to {} messages of {} from offset {} on are lost: it was created again or cut off"
              + " before they were stored, and {}",
          name,
          lost,
          partition,
          former.firstUnfinished(),
          failure.describe());
    }
    retryAt.remove(partition);
    due.moved(partition);
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
        String.format(
            "%s has a damaged batch at offset %s, set the group's offset behind it to"
                + " continue: %s",
            partition, offset, DamagedBatches.describe(e));
    LOG.error("{}: {}", name, damaged);
    return true;
  }

  /** Joins the group once; returns false while the brokers do not answer. */
  private boolean subscribe() {
    if (!subscribed) {
      try {
        context.startOffsets.prepare(consumer);
      } catch (TimeoutException e) {
        return false;
      }
      consumer.subscribe(context.config.topics, this);
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
          long readMillis = due.readMillisIfDue(partition, record, now);
          if (readMillis == DueMessages.NOT_DUE) {
            break;
          }
          context.stats.add(Count.CONSUMED);
          polled.add(new QueuedMessage(record, open, open.add(record.offset()), readMillis));
        }
      }
    } finally {
      // Messages that are counted as consumed must end, as stored or as read again.
      queue.addAll(polled);
    }
  }

  /** Why a request waits although its delay is over; null if none waits. */
  @Nullable String waitsFor() {
    return due.waitsFor();
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
      context.stats.add(Count.PAUSED_MILLIS, elapsed);
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
      retryAt.put(partition, now + failed.backoffMillis());
    } else if (now >= at) {
      retryAt.remove(partition);
      committer.remember(failed);
      consumer.seek(partition, failed.firstUnfinished());
      due.moved(partition);
      progress.put(partition, new PartitionProgress(partition, attempt + 1));
      LOG.info("{}: {} continues at offset {}", name, partition, failed.firstUnfinished());
    }
  }

  private void pause() {
    full = full ? !queue.isHalfEmpty() : queue.isFull();
    Set<TopicPartition> pause = due.partitions();
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
      due.forget(partition);
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
    context.storage.flush();
    long until = System.nanoTime() + context.config.ingest.drainMillis * 1_000_000;
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
          context.config.ingest.drainMillis);
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
