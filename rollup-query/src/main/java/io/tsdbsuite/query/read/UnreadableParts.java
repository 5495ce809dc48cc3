package io.tsdbsuite.query.read;

import java.util.function.LongSupplier;
import net.opentsdb.stats.StatsCollector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts sub-queries that have read plain tables because a part of a packed row cannot be read, and
 * logs one a minute. Thread-safe.
 */
final class UnreadableParts {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadableParts.class);
  private static final long MILLIS_BETWEEN_WARNINGS = 60_000;

  private final LongSupplier clock;
  private long count;
  private long loggedAt;

  /**
   * @param clock milliseconds that never go back
   */
  UnreadableParts(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void found(Exception part) {
    long now = clock.getAsLong();
    if (count++ == 0 || now - loggedAt >= MILLIS_BETWEEN_WARNINGS) {
      loggedAt = now;
      LOG.warn(
          "a query has read plain rollups in place of packed ones, the {}. since the start: {}",
          count,
          part.getMessage());
    }
  }

  synchronized void collectStats(StatsCollector collector, String prefix) {
    collector.record(prefix + "packed.unreadable", count);
  }
}
