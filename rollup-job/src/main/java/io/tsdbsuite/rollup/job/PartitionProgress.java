package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.Books;

/** Watches the books of a partition grow. */
interface PartitionProgress {
  /**
   * Called for each row.
   *
   * @param bytes that storage delivered so far
   */
  void update(Books books, long bytes);

  /** Called when no more is read. */
  void finish(Books books, long bytes);
}
