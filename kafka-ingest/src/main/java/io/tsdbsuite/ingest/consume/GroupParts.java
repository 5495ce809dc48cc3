package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import java.time.Clock;

/** What the consumers of a group share. */
final class GroupParts {
  final GroupConfig config;
  final GroupStats stats;
  final PointRate rate;
  final InFlightWindow window;
  final PendingCells pending;
  final GroupLag lag;
  final SideTopics sideTopics;
  final Settlement settlement;
  final Clock clock;

  GroupParts(GroupConfig config, Outbox outbox, Clock clock) {
    this.config = config;
    this.clock = clock;
    this.stats = new GroupStats();
    this.rate = new PointRate(config.rate());
    this.window = new InFlightWindow(config.maxInFlight());
    this.pending = new PendingCells();
    this.lag = new GroupLag();
    this.sideTopics = new SideTopics(config, outbox, clock);
    this.settlement = new Settlement(config, stats, window, sideTopics, clock);
  }
}
