package io.tsdbsuite.quickstart.query;

/** What an answer is made of. */
public enum Source {
  /** Raw points, one cell each: the table of a TSD that does not compact. */
  RAW_CELLS("raw, a cell per point", "ROLLUP_RAW"),
  /** Raw points, one cell for each series and hour: the table of a TSD that compacts. */
  RAW_COMPACTED("raw, compacted rows", "ROLLUP_RAW"),
  /** Rollups; since a split point raw data if splitting is on. */
  ROLLUPS("rollups", "ROLLUP_NOFALLBACK");

  private final String text;
  private final String rollupUsage;

  Source(String text, String rollupUsage) {
    this.text = text;
    this.rollupUsage = rollupUsage;
  }

  /** In words. */
  public String text() {
    return text;
  }

  /** The rollupUsage that makes the TSD read it. */
  public String rollupUsage() {
    return rollupUsage;
  }
}
