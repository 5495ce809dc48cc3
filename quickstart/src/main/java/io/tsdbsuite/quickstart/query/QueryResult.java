package io.tsdbsuite.quickstart.query;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The times of one query over one range beside what it reads.
 *
 * @param measurement the runs
 * @param costs the scan costs of raw data, by source
 * @param millisPerCell time of a query of a cell for each point, milliseconds a cell, as measured
 *     over the longest range that the TSD can read in this way
 */
public record QueryResult(
    QueryMeasurement measurement, Map<QuerySource, ScanCost> costs, double millisPerCell) {
  /** Copies the map. */
  public QueryResult {
    costs = Map.copyOf(costs);
  }

  /** The cells that HBase sends for it; empty for a stock TSD's rollups, which tell no cells. */
  public OptionalLong cells(QuerySource source) {
    return switch (source) {
      case RAW_CELLS, RAW_COMPACTED -> OptionalLong.of(raw(source).cells());
      case STOCK -> OptionalLong.empty();
      case PLUGIN -> OptionalLong.of(measurement.reading().cells());
    };
  }

  private ScanCost raw(QuerySource source) {
    return Objects.requireNonNull(costs.get(source), source.text());
  }

  /** Whether {@link #millis} is the time per cell times the cells, because nobody measured it. */
  public boolean estimated(QuerySource source) {
    return measurement.timings(source) == null;
  }

  /** The median time from a source, milliseconds. */
  public double millis(QuerySource source) {
    Timings timings = measurement.timings(source);
    return timings == null ? millisPerCell * raw(source).cells() : timings.median();
  }

  /** The speedup of the plugin over another source. */
  public double ratio(QuerySource raw) {
    return millis(raw) / millis(QuerySource.PLUGIN);
  }
}
