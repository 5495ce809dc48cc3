package io.tsdbsuite.nightly.config;

import java.time.Duration;

/**
 * Whether what the runs prove is written into a coverage table.
 *
 * @param table with its namespace; empty: tsdb-coverage, if HBase has it
 * @param patience time in which TSDs may still store rollups of a run to Kafka
 */
public record CoverageSettings(String table, Duration patience) {
  /** The value of {@code coverage.table} for no coverage. */
  public static final String NONE = "none";

  /** Whether nothing is written. */
  public boolean isOff() {
    return table.equals(NONE);
  }
}
