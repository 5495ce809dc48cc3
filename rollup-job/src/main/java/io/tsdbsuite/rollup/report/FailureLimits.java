package io.tsdbsuite.rollup.report;

import java.io.Serializable;

/**
 * How much may fail before a run stops. A corrupt block is counted apart from rows, because nobody
 * knows how many rows it hides.
 *
 * @param rows rows, and days that fail though their rows are good
 * @param blocks corrupt blocks of HFiles, those of indexes too
 */
public record FailureLimits(long rows, long blocks) implements Serializable {
  /** Everything may fail. */
  public static final FailureLimits NONE = new FailureLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Whether more failed than is allowed. */
  public boolean areExceededBy(Books books) {
    return books.failures() > rows || books.blocksFailed() > blocks;
  }

  /** What is left when these books have used a part; negative where they have used more. */
  public FailureLimits less(Books books) {
    return new FailureLimits(rows - books.failures(), blocks - books.blocksFailed());
  }
}
