package io.tsdbsuite.rollup.report;

import java.io.Serializable;

/**
 * Limits for failures before a run stops. Corrupt blocks have a separate limit, because the number
 * of rows in them is unknown.
 *
 * @param rows limit of failed rows, plus failed days whose rows are all valid
 * @param blocks limit of corrupt HFile blocks, including index blocks
 */
public record FailureLimits(long rows, long blocks) implements Serializable {
  /** No limits. */
  public static final FailureLimits NONE = new FailureLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Whether the failures exceed a limit. */
  public boolean areExceededBy(Books books) {
    return books.failures() > rows || books.blocksFailed() > blocks;
  }

  /** Returns the limits less the failures in these books; negative if exceeded. */
  public FailureLimits less(Books books) {
    return new FailureLimits(rows - books.failures(), blocks - books.blocksFailed());
  }
}
