package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.store.OtherWidths;
import java.time.Clock;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the consumers of a group share. */
final class GroupParts {
  final GroupConfig config;
  final GroupStats stats;
  final PointRate rate;
  final InFlightWindow window;
  final PendingCells pending;
  final GroupLag lag;
  final SideTopics sideTopics;
  final FailedTries failedTries;
  final OffsetReset offsetReset;
  final FirstStart firstStart;
  final DamagedBatches damaged = new DamagedBatches();
  final Settlement settlement;

  /** Accounts of partitions that were given away while HBase owed answers for them. */
  final Collection<PartitionProgress> left = new ConcurrentLinkedQueue<>();

  /** Only where times of messages are looked at; all that lasts is measured by {@link #uptime}. */
  final Clock clock;

  final Uptime uptime;

  /** Topics that must exist. */
  final Set<String> topics;

  /**
   * Makes them.
   *
   * @param moreTopics that must exist beside those of the group
   * @param otherWidths what is found in the rollup tables
   */
  GroupParts(
      GroupConfig config,
      Outbox outbox,
      Clock clock,
      Ticker ticker,
      Collection<String> moreTopics,
      OtherWidths otherWidths) {
    this.config = config;
    this.clock = clock;
    this.uptime = new Uptime(ticker);
    this.topics = new TreeSet<>(config.topics());
    topics.addAll(moreTopics);
    topics.add(config.deadLetterTopic());
    if (config.requeueTopic() != null) {
      topics.add(config.requeueTopic());
    }
    this.stats = new GroupStats();
    this.offsetReset = new OffsetReset(config, stats);
    this.firstStart = new FirstStart(config, otherWidths);
    this.rate = new PointRate(config.rate());
    this.window = new InFlightWindow(config.maxInFlight());
    this.pending = new PendingCells();
    this.lag = new GroupLag();
    this.sideTopics = new SideTopics(config, outbox, clock);
    this.failedTries = new FailedTries(config.maxRequeues(), uptime);
    this.settlement = new Settlement(config, stats, window, sideTopics, failedTries, uptime);
  }
}
