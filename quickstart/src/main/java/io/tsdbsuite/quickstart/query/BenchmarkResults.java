package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Map;

/**
 * All query results and measurements.
 *
 * @param from first second of the queried days, since the epoch
 * @param to last second, exclusive
 * @param measurements measurements by query
 * @param costs the scan cost of each query by source, in the order of the measurements
 * @param split queries over the split point, first with a long delaySla, then with a short one
 * @param sla queries of the last hours and days with both of them
 */
public record BenchmarkResults(
    long from,
    long to,
    List<QueryMeasurement> measurements,
    List<Map<QuerySource, ScanCost>> costs,
    List<SplitQueryResult> split,
    List<SlaMeasurement> sla) {
  /** The published speedup of rollups over raw data, which these rollups must exceed. */
  public static final double RATIO_TO_BEAT = 60;

  /** Copies the lists. */
  public BenchmarkResults {
    measurements = List.copyOf(measurements);
    costs = List.copyOf(costs);
    split = List.copyOf(split);
    sla = List.copyOf(sla);
  }

  /**
   * Number of points that differ between raw data and rollups, or split queries, plus lost or wrong
   * hours over the split points.
   */
  public long differences() {
    return measurements.stream().mapToLong(QueryMeasurement::differences).sum()
        + sla.stream().mapToLong(SlaMeasurement::differences).sum()
        + split.stream().mapToLong(SplitQueryResult::errors).sum();
  }

  /** The smallest speedup over a source among all queries. */
  public double smallestRatio(QuerySource raw) {
    return measurements.stream().mapToDouble(m -> m.ratio(raw)).min().orElse(0);
  }
}
