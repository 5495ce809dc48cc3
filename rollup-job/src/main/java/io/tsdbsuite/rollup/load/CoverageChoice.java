package io.tsdbsuite.rollup.load;

/**
 * Whether a load writes what it has proven into a coverage table.
 *
 * @param table with its namespace; empty: none
 * @param required whether the table must exist; otherwise a load without it only says so
 */
public record CoverageChoice(String table, boolean required) {
  /** The name of a coverage table, unless there is reason for another. */
  public static final String DEFAULT_TABLE = "tsdb-coverage";

  /** Writes no coverage. */
  public static CoverageChoice none() {
    return new CoverageChoice("", false);
  }

  /** Whether a coverage is wanted. */
  boolean isWanted() {
    return !table.isEmpty();
  }
}
