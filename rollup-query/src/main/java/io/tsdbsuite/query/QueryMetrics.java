package io.tsdbsuite.query;

import static io.tsdbsuite.metrics.MetricDescription.counter;
import static io.tsdbsuite.metrics.MetricDescription.gauge;

import io.tsdbsuite.metrics.MetricCatalog;
import io.tsdbsuite.query.http.QueryCounts;

/** Types and help texts of the statistics for Prometheus; docs/rollup-query.md has more. */
final class QueryMetrics {
  static final MetricCatalog CATALOG =
      new MetricCatalog(
          QueryCounts.PREFIX,
          counter("queries", "Queries of the plugin by outcome."),
          counter("passed_on", "Requests for queries that OpenTSDB's own handler answers."),
          counter("cells", "Cells read by queries that have ended."),
          counter("rollup_cells", "Cells of rollups read by interval."),
          counter("packed.unreadable", "Sub-queries that have read plain rows for packed ones."),
          gauge("packed.lag_seconds", "How far packed rows are behind their rollups, by interval."),
          counter("raw_cells", "Cells of raw data read by reason."),
          gauge("running", "Queries that run and were not stopped."),
          gauge("in_flight.cells", "Cells that running queries hold."),
          gauge("in_flight.bytes", "Heap that running queries hold, estimated."),
          counter("shadow.checked", "Buckets of rollups that were compared with raw data."),
          counter("shadow.different", "Those of them that differ from raw data."),
          counter("shadow.series", "Series that were compared in them."),
          counter("shadow.skipped", "Shadow checks that could not compare, by reason."),
          gauge("coverage.age_seconds", "Time since the last reading that was not refused began."),
          gauge(
              "coverage.lag_seconds",
              "Time since the end of the newest window that counts, or since 1970, by interval."),
          gauge("on", "1 if the plugin answers queries, 0 if this OpenTSDB lacks what it needs."),
          gauge("rollups", "1 if rollups are read inside the coverage."),
          gauge("takeover", "1 if the plugin answers /api/query too."));

  private QueryMetrics() {}
}
