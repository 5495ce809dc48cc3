package io.tsdbsuite.quickstart.query;

/** The stored data that a query reads. */
public enum QuerySource {
  /** Raw points, one cell each: the table of a TSD that does not compact. */
  RAW_CELLS("raw, a cell per point", "ROLLUP_RAW"),
  /** Raw points, one cell for each series and hour: the table of a TSD that compacts. */
  RAW_COMPACTED("raw, compacted rows", "ROLLUP_RAW"),
  /** Rollups; raw data after the split point if splitting is on. */
  ROLLUPS("rollups", "ROLLUP_NOFALLBACK");

  private final String text;
  private final String rollupUsage;

  QuerySource(String text, String rollupUsage) {
    this.text = text;
    this.rollupUsage = rollupUsage;
  }

  /** The name in tables and plots. */
  public String text() {
    return text;
  }

  /** The rollupUsage of queries that read this source. */
  public String rollupUsage() {
    return rollupUsage;
  }
}
