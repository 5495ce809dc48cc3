package io.tsdbsuite.meta;

import static io.tsdbsuite.metrics.MetricDescription.counter;
import static io.tsdbsuite.metrics.MetricDescription.gauge;

import io.tsdbsuite.metrics.MetricCatalog;

/** Types and help texts of the statistics for Prometheus; docs/tsuid-ratelimiter.md has more. */
final class MetaCacheMetrics {
  static final MetricCatalog CATALOG =
      new MetricCatalog(
          "meta.cache.",
          gauge("size", "series", "Series in the cache."),
          gauge("memory_bytes", "Heap of the cache, estimated."),
          counter("hits", "Points whose series was in the cache."),
          counter("misses", "Points whose series was not in the cache."),
          gauge("hit_ratio", "percent", "Hits since the start."),
          counter("evictions", "Series removed to make room."),
          counter("writes", "Counters written."),
          counter("tsmeta.stored", "TSMeta objects created or found."),
          counter("failures", "Failed writes."),
          counter("failures.ambiguous", "Increments that may have been applied twice."),
          counter("retries", "Failed writes that will be retried."),
          counter("overdue", "Writes without an answer in time."),
          gauge("rpcs_in_flight", "Series with an unanswered write."),
          gauge("rpcs_in_flight_limit", "Limit of the series with an unanswered write."),
          gauge("owed_series", "Series in the retry queue."),
          counter("series.lost", "Abandoned writes."),
          gauge("flush_lag_seconds", "Time since the first write that is deferred or failed."),
          counter("errors", "Exceptions inside the plugin."),
          counter("new_series", "Series added to the meta table."),
          counter("new_series.suppressed", "Series refused by the limit."),
          gauge("new_series.top", "series", "New series of this hour and the last, by metric."),
          counter("points", "Points taken."),
          counter("points.written", "Points added to counters."),
          gauge("points.pending", "Points in the cache."),
          gauge("points.in_flight", "Points in unanswered writes."),
          gauge("points.owed", "Points in the retry queue."),
          counter("points.lost", "Points in no counter."),
          counter("points.suppressed", "Points of new series over the limit."),
          counter("points.ambiguous", "Points of increments that may have been applied twice."));

  private MetaCacheMetrics() {}
}
