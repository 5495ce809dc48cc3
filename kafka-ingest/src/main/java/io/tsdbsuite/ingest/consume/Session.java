package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One membership in the group: the partitions that it has, what of them is done, paused and
 * committed. Used by the polling thread alone, but for {@link #problem} and {@link #joined}.
 */
final class Session implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration POLL_FULL = Duration.ofMillis(10);

  /** Messages of a partition that may wait for its first one, stored or not; or the window. */
  private static final int MIN_UNFINISHED = 1 << 18;

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final GroupParts parts;
  private final Backlog backlog;
  private final Storage storage;
  private final Timeouts timeouts;
  private final Commits commits;
  private final LagMeter lagMeter;
  private final OwedAnswers owed;

  private final Map<TopicPartition, PartitionProgress> progress = new HashMap<>();
  private final Map<TopicPartition, Long> retryAt = new HashMap<>();
  private final Map<TopicPartition, Long> dueAt = new HashMap<>();
  private final Set<TopicPartition> unreadable = new HashSet<>();
  private final int maxUnfinished;
  private boolean subscribed;
  private boolean full;
  private long lastRound;
  private volatile boolean joined;
  private volatile String damaged;

  Session(
      String name,
      Consumer<byte[], byte[]> consumer,
      GroupParts parts,
      Backlog backlog,
      Storage storage,
      Timeouts timeouts) {
    this.name = name;
    this.consumer = consumer;
    this.parts = parts;
    this.backlog = backlog;
    this.storage = storage;
    this.timeouts = timeouts;
    this.commits = new Commits(name, consumer, parts.uptime);
    this.lagMeter = new LagMeter(consumer, parts);
    this.maxUnfinished = Math.max(MIN_UNFINISHED, parts.config.maxInFlight());
    this.owed = new OwedAnswers(name, parts, storage, timeouts.ackMillis);
    this.lastRound = parts.uptime.millis();
  }

  boolean joined() {
    return joined;
  }

  /** Why it makes no progress; null while it can. */
  String problem() {
    String missing = lagMeter.problem();
    if (missing != null) {
      return missing;
    }
    String batch = damaged;
    return batch != null ? batch : owed.problem();
  }

  /** Fetches once and looks after everything else; takes a tenth of a second at most. */
  void round() {
    long now = parts.uptime.millis();
    backlog.check();
    retryFailed(now);
    pause();
    try {
      if (!subscribe()) {
        return;
      }
      accept(consumer.poll(full ? POLL_FULL : POLL));
      commits.commitIfDue(progress.values());
      lagMeter.measureIfDue(progress, dueAt.keySet());
    } catch (NoOffsetForPartitionException e) {
      if (parts.firstStart.mayBegin(consumer)) {
        commits.commitStart(parts.offsetReset.start(consumer, e.partitions()));
      }
    } catch (OffsetOutOfRangeException e) {
      parts.offsetReset.outOfRange(consumer, e.offsetOutOfRangePartitions());
    } catch (KafkaException e) {
      if (!stopsOnePartition(e)) {
        throw e;
      }
    }
  }

  /**
   * Whether it was a batch that Kafka's client cannot read, and that was so the time before: then
   * the others go on. The first time a new session tries, which may get it from another broker.
   */
  private boolean stopsOnePartition(KafkaException e) {
    TopicPartition partition = DamagedBatches.partitionOf(e, progress.keySet());
    if (partition == null) {
      return false;
    }
    long offset = consumer.position(partition);
    if (!parts.damaged.isSecond(partition, offset)) {
      return false;
    }
    unreadable.add(partition);
    damaged =
        partition
            + " cannot be read on at offset "
            + offset
            + ", the group must be told to go on behind it: "
            + DamagedBatches.describe(e);
    LOG.error("{}: {}", name, damaged);
    return true;
  }

  /** Joins the group, once; false while the brokers do not answer. */
  private boolean subscribe() {
    if (!subscribed) {
      try {
        parts.offsetReset.prepare(consumer);
      } catch (TimeoutException e) {
        return false;
      }
      consumer.subscribe(parts.config.topics(), this);
      subscribed = true;
    }
    return true;
  }

  private void accept(ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      PartitionProgress open = progress.get(partition);
      // A partition that has failed is sought back to the message that failed.
      if (open == null || !open.isOpen()) {
        continue;
      }
      for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
        if (!isDue(partition, record)) {
          break;
        }
        parts.stats.consumed();
        backlog.add(new Task(record, open, open.begin(record.offset())));
      }
    }
  }

  /** Whether a requeued message has waited long enough; its partition stands still until then. */
  private boolean isDue(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    ConsumerType type = parts.config.type();
    if (!type.requeued()) {
      return true;
    }
    long requeuedAt = Headers.number(record.headers(), Headers.REQUEUED_AT, record.timestamp());
    long due = requeuedAt + parts.config.requeueDelayMillis();
    if (due <= parts.clock.millis()) {
      return true;
    }
    dueAt.put(partition, due);
    consumer.seek(partition, record.offset());
    return false;
  }

  /** Partitions whose storage failed begin again at the first message that is not done. */
  private void retryFailed(long now) {
    long elapsed = now - lastRound;
    lastRound = now;
    owed.check(progress.values(), now);
    List<PartitionProgress> failed = new ArrayList<>();
    for (PartitionProgress each : progress.values()) {
      if (each.failure() != null) {
        failed.add(each);
      }
    }
    for (PartitionProgress each : failed) {
      parts.stats.paused(elapsed);
      // Late answers would mix with those of the new try, and old writes with new ones.
      if (each.inFlight() == 0) {
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
      commits.remember(failed);
      consumer.seek(partition, failed.firstUnfinished());
      progress.put(partition, new PartitionProgress(partition, attempt + 1));
      LOG.info("{}: {} goes on at offset {}", name, partition, failed.firstUnfinished());
    }
  }

  private void pause() {
    full = full ? !backlog.isHalfEmpty() : backlog.isFull();
    long now = parts.clock.millis();
    dueAt.values().removeIf(due -> due <= now);
    Set<TopicPartition> pause = new HashSet<>();
    for (PartitionProgress each : progress.values()) {
      boolean held = each.unfinished() >= maxUnfinished || unreadable.contains(each.partition());
      if (full || held || !each.isOpen() || dueAt.containsKey(each.partition())) {
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
      parts.lag.assigned(partition);
    }
    joined = true;
    LOG.info("{} was assigned {} and has {}", name, partitions, progress.keySet());
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    LOG.info("{} gives up {}", name, partitions);
    settle(partitions);
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
          parts.left.add(gone);
        }
      }
      retryAt.remove(partition);
      dueAt.remove(partition);
      if (unreadable.remove(partition) && unreadable.isEmpty()) {
        damaged = null;
      }
      commits.forget(partition);
      parts.lag.revoked(partition);
      parts.failedTries.forget(partition);
    }
  }

  /** Waits for the answers of partitions that are given up, and commits what they bring. */
  private void settle(Collection<TopicPartition> partitions) {
    List<PartitionProgress> leaving = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      PartitionProgress each = progress.get(partition);
      if (each != null) {
        each.close();
        leaving.add(each);
      }
    }
    storage.flush();
    long until = System.nanoTime() + timeouts.drainMillis * 1_000_000;
    int owed = 0;
    try {
      for (PartitionProgress each : leaving) {
        each.awaitAnswers(Math.max(0, (until - System.nanoTime()) / 1_000_000));
        owed += each.inFlight();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (owed > 0) {
      LOG.warn(
          "{}: HBase owes the answers for {} messages after {} ms; they will be read again",
          name,
          owed,
          timeouts.drainMillis);
    }
    commits.commitNow(leaving);
  }

  /** The end: everything is answered and committed, as far as the time allows. */
  void drain() {
    settle(new ArrayList<>(progress.keySet()));
  }

  /** Closes what is open; after a failure of the session. */
  void abandon() {
    forget(new ArrayList<>(progress.keySet()));
  }
}
