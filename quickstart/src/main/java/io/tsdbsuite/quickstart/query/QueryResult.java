package io.tsdbsuite.quickstart.query;

import java.util.Map;
import java.util.Objects;

/**
 * The times of one query over one range beside what it reads.
 *
 * @param measurement the runs
 * @param costs the scan cost by source
 * @param millisPerCell time of a query of a cell for each point, milliseconds a cell, as measured
 *     over the longest range that the TSD can read in this way
 */
public record QueryResult(
    QueryMeasurement measurement, Map<QuerySource, ScanCost> costs, double millisPerCell) {
  /** Copies the map. */
  public QueryResult {
    costs = Map.copyOf(costs);
  }

  /** The scan cost of a source. */
  public ScanCost cost(QuerySource source) {
    return Objects.requireNonNull(costs.get(source), source.text());
  }

  /** Whether {@link #millis} is the time per cell times the cells, because nobody measured it. */
  public boolean estimated(QuerySource source) {
    return measurement.timings(source) == null;
  }

  /** The median time from a source, milliseconds. */
  public double millis(QuerySource source) {
    Timings timings = measurement.timings(source);
    return timings == null ? millisPerCell * cost(source).cells() : timings.median();
  }

  /** The speedup of rollups over another source. */
  public double ratio(QuerySource raw) {
    return millis(raw) / millis(QuerySource.ROLLUPS);
  }
}
