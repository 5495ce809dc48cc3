package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Map;

/**
 * All query results and measurements.
 *
 * @param from first second of the queried days, since the epoch
 * @param to last second, exclusive
 * @param rollupTo end of the rollups, exclusive
 * @param measurements measurements by query
 * @param costs the scan cost of each query by source, in the order of the measurements
 * @param split a query over the split point, with rollups that end at the hold-back
 * @param early the same query with rollups beyond the split point
 */
public record BenchmarkResults(
    long from,
    long to,
    long rollupTo,
    List<QueryMeasurement> measurements,
    List<Map<QuerySource, ScanCost>> costs,
    SplitQueryResult split,
    SplitQueryResult early) {
  /** The published speedup of rollups over raw data, which these rollups must exceed. */
  public static final double RATIO_TO_BEAT = 60;

  /** Copies the lists. */
  public BenchmarkResults {
    measurements = List.copyOf(measurements);
    costs = List.copyOf(costs);
  }

  /**
   * Number of points that differ between raw data and rollups, plus lost or wrong hours over the
   * split point.
   */
  public long differences() {
    return measurements.stream().mapToLong(QueryMeasurement::differences).sum()
        + split.errors(rollupTo);
  }

  /** The smallest speedup over a source among all queries. */
  public double smallestRatio(QuerySource raw) {
    return measurements.stream().mapToDouble(m -> m.ratio(raw)).min().orElse(0);
  }
}
