package io.tsdbsuite.quickstart.query;

/** The stored data that a query reads, and what answers it. */
public enum QuerySource {
  /** Raw points, one cell each: the table of a TSD that does not compact. */
  RAW_CELLS("raw, a cell per point", "ROLLUP_RAW"),
  /** Raw points, one cell for each series and hour: the table of a TSD that compacts. */
  RAW_COMPACTED("raw, compacted rows", "ROLLUP_RAW"),
  /** The rollup table that OpenTSDB itself chooses by the downsampler. */
  STOCK("rollups, stock TSD", "ROLLUP_NOFALLBACK"),
  /** What rollup-query chooses. */
  PLUGIN("rollups, plugin", "ROLLUP_NOFALLBACK");

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

  /** The rollupUsage of queries that read this source; that of rollups is the TSD's default. */
  public String rollupUsage() {
    return rollupUsage;
  }
}
