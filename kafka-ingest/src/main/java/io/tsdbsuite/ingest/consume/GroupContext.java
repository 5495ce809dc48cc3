package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.store.OtherWidths;
import io.tsdbsuite.ingest.store.Storage;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Objects shared by the consumers of a group. */
final class GroupContext {
  private static final long MAX_ALIVE_MILLIS = 30_000;

  final GroupConfig config;
  final GroupStats stats;
  final PointRate rate;
  final InFlightLimit inFlightLimit;
  final PendingCells pending;
  final GroupLag lag;
  final OutputTopics outputTopics;
  final FailedAttempts failedAttempts;
  final StartOffsets startOffsets;
  final DamagedBatches damaged = new DamagedBatches();
  final MessageCompletion completion;
  final Masking masking;

  /** Progress of partitions that were revoked with messages in flight. */
  final Collection<PartitionProgress> revoked = new ConcurrentLinkedQueue<>();

  /** For timestamps in messages only; durations are measured with {@link #monotonicClock}. */
  final Clock clock;

  final MonotonicClock monotonicClock;

  /** Topics that must exist: those that are read and those that are written. */
  final Set<String> topics;

  /**
   * Asked before a request is carried out: why raw points that Kafka had at a time, milliseconds
   * since the epoch, may not be stored yet; null if all are, as far as this TSD knows.
   */
  final LongFunction<@Nullable String> rawBacklog;

  final Brokers brokers;

  /** What to change in Kafka, by topic. */
  final Map<String, String> warnings = new ConcurrentHashMap<>();

  final StoredTimes storedTimes = new StoredTimes();

  final Storage storage;

  /** Of all sessions: one that starts again and again would never wait for an answer. */
  final HBaseProbe probe;

  /**
   * Creates the objects of a group.
   *
   * @param rawBacklog see {@link #rawBacklog}
   * @param brokers asked for the ends and the settings of topics
   * @param moreTopics topics that must exist in addition to the topics of the group
   * @param otherWidths cells found in the rollup tables
   * @param masking masks what is stored late
   */
  GroupContext(
      GroupConfig config,
      AsyncProducer producer,
      Clock clock,
      Ticker ticker,
      Storage storage,
      Collection<String> moreTopics,
      OtherWidths otherWidths,
      LongFunction<@Nullable String> rawBacklog,
      Brokers brokers,
      Masking masking) {
    this.masking = masking;
    this.brokers = brokers;
    this.rawBacklog = rawBacklog;
    this.config = config;
    this.clock = clock;
    this.monotonicClock = new MonotonicClock(ticker);
    this.storage = storage;
    this.probe =
        new HBaseProbe(
            storage, monotonicClock, Math.min(config.ingest.ackTimeoutMillis, MAX_ALIVE_MILLIS));
    this.topics = new TreeSet<>(config.topics);
    topics.addAll(moreTopics);
    topics.add(config.deadLetterTopic);
    if (config.requeueTopic != null) {
      topics.add(config.requeueTopic);
    }
    this.stats = new GroupStats();
    this.startOffsets = new StartOffsets(config, stats, otherWidths);
    this.rate = new PointRate(config.rate, ticker);
    this.inFlightLimit = new InFlightLimit(config.maxInFlight);
    this.pending = new PendingCells();
    this.lag = new GroupLag();
    this.outputTopics = new OutputTopics(config, producer, clock);
    this.failedAttempts = new FailedAttempts(config.maxRequeues, ticker);
    this.completion = new MessageCompletion(this);
  }
}
