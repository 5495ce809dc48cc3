package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.SeriesCache;
import java.util.Map;
import net.opentsdb.stats.StatsCollector;

/** The statistics in /api/stats; named and explained in docs/tsuid-ratelimiter.md. */
final class Stats {
  private static final String PREFIX = "meta.cache.";

  private final SeriesCache cache;
  private final boolean counting;
  private final Counters counters;
  private final RetryQueue retryQueue;
  private final NewSeries newSeries;
  private final Maintenance maintenance;
  private final SeriesWriter writer;
  private final Lag lag;

  Stats(
      SeriesCache cache,
      boolean counting,
      Counters counters,
      RetryQueue retryQueue,
      NewSeries newSeries,
      Maintenance maintenance,
      SeriesWriter writer,
      Lag lag) {
    this.cache = cache;
    this.counting = counting;
    this.counters = counters;
    this.retryQueue = retryQueue;
    this.newSeries = newSeries;
    this.maintenance = maintenance;
    this.writer = writer;
    this.lag = lag;
  }

  void collect(StatsCollector to, int now) {
    long touches = cache.touches();
    long misses = Math.min(touches, cache.misses());
    to.record(PREFIX + "size", cache.size());
    to.record(PREFIX + "hits", touches - misses);
    to.record(PREFIX + "misses", misses);
    to.record(PREFIX + "hit_ratio", touches == 0 ? 100 : 100 * (touches - misses) / touches);
    to.record(PREFIX + "evictions", cache.evictions());
    to.record(PREFIX + "memory_bytes", cache.memoryBytes());
    to.record(PREFIX + "writes", counters.writes.sum());
    to.record(PREFIX + "tsmeta.stored", counters.tsMetas.sum());
    to.record(PREFIX + "failures", counters.failures.sum());
    to.record(PREFIX + "failures.ambiguous", counters.ambiguous.sum());
    to.record(PREFIX + "retries", counters.retries.sum());
    to.record(PREFIX + "overdue", counters.overdue.sum());
    to.record(PREFIX + "rpcs_in_flight", writer.unanswered());
    to.record(PREFIX + "rpcs_in_flight_limit", writer.inFlightLimit().limit());
    to.record(PREFIX + "owed_series", retryQueue.size());
    to.record(PREFIX + "series.lost", counters.seriesLost.sum());
    to.record(PREFIX + "flush_lag_seconds", lag.seconds(now));
    to.record(PREFIX + "errors", counters.errors.sum());
    to.record(PREFIX + "new_series", newSeries.created());
    to.record(PREFIX + "new_series.suppressed", newSeries.suppressed());
    for (Map.Entry<String, Long> metric : newSeries.top().entrySet()) {
      // A TSD can be told to allow characters that a statistic's line cannot have.
      if (metric.getKey().indexOf('=') < 0 && metric.getKey().indexOf(' ') < 0) {
        to.record(PREFIX + "new_series.top", metric.getValue(), "metric=" + metric.getKey());
      }
    }
    if (counting) {
      to.record(PREFIX + "points", touches + counters.late.sum());
      to.record(PREFIX + "points.written", counters.pointsWritten.sum());
      to.record(PREFIX + "points.pending", maintenance.pending());
      to.record(PREFIX + "points.in_flight", counters.pointsInFlight.sum());
      to.record(PREFIX + "points.owed", retryQueue.points());
      to.record(PREFIX + "points.lost", counters.pointsLost.sum());
      to.record(PREFIX + "points.suppressed", counters.pointsSuppressed.sum());
      to.record(PREFIX + "points.ambiguous", counters.pointsAmbiguous.sum());
    }
  }
}
