package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SingleCells;

/** The stored data that a query reads, and what answers it. */
public enum QuerySource {
  /** Raw points, one cell each: the table of a TSD that does not compact. */
  RAW_CELLS("raw, a cell per point", SingleCells.METRIC, "ROLLUP_RAW"),
  /** Raw points, one cell for each series and hour: the table of a TSD that compacts. */
  RAW_COMPACTED("raw, compacted rows", RequestRate.METRIC, "ROLLUP_RAW"),
  /** The rollup table that OpenTSDB itself chooses by the downsampler. */
  STOCK("rollups, stock TSD", RequestRate.METRIC, "ROLLUP_NOFALLBACK"),
  /** What rollup-query chooses. */
  PLUGIN("rollups, plugin", RequestRate.METRIC, "ROLLUP_NOFALLBACK");

  private final String text;
  private final String metric;
  private final String rollupUsage;

  QuerySource(String text, String metric, String rollupUsage) {
    this.text = text;
    this.metric = metric;
    this.rollupUsage = rollupUsage;
  }

  /** The name in tables and plots. */
  public String text() {
    return text;
  }

  /** The metric that has its points. */
  String metric() {
    return metric;
  }

  /** The rollupUsage of queries that read this source; that of rollups is the TSD's default. */
  String rollupUsage() {
    return rollupUsage;
  }
}
