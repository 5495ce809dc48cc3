package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Map;

/**
 * Everything that was asked and measured.
 *
 * @param from first second of the days asked for, since the epoch
 * @param to last second, exclusive
 * @param rollupTo end of the rollups, exclusive
 * @param measurements by question
 * @param costs what each question makes HBase send, by source, in the order of the measurements
 * @param split a query over the split point, with rollups that end where the hold-back ends them
 * @param early the same with rollups that go on after it
 */
public record Findings(
    long from,
    long to,
    long rollupTo,
    List<Measurement> measurements,
    List<Map<Source, ScanCost>> costs,
    SplitBoundary split,
    SplitBoundary early) {
  /** What rollups have to beat: the published figure of how much faster than raw data they are. */
  public static final double RATIO_TO_BEAT = 60;

  /** Copies the lists. */
  public Findings {
    measurements = List.copyOf(measurements);
    costs = List.copyOf(costs);
  }

  /** Points that differ between raw data and rollups, and hours lost or wrong over the split. */
  public long differences() {
    return measurements.stream().mapToLong(Measurement::differences).sum() + split.errors(rollupTo);
  }

  /** The smallest ratio of all questions against a source. */
  public double smallestRatio(Source raw) {
    return measurements.stream().mapToDouble(m -> m.ratio(raw)).min().orElse(0);
  }
}
