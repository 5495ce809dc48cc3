package io.tsdbsuite.rollup.input;

import io.tsdbsuite.rollup.report.FailureLimits;

/**
 * Known defects of the input that the user accepts.
 *
 * @param limits for failed rows and corrupt HFile blocks before the run stops
 * @param expired whether the window may begin where the table's TTL may have removed points
 * @param skipFlush whether a snapshot may lack the memstores of region servers
 * @param empty whether a run over a table with data may emit nothing
 */
public record Tolerance(FailureLimits limits, boolean expired, boolean skipFlush, boolean empty) {
  /** Accepts no defect. */
  public static final Tolerance NONE = new Tolerance(new FailureLimits(0, 0), false, false, false);
}
