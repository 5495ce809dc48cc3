package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.rollup.report.Books;

/** Receives the books of a partition while it is read. */
interface PartitionProgress {
  /**
   * Called for each row.
   *
   * @param bytes bytes that storage has delivered so far
   */
  void update(Books books, long bytes);

  /** Called after the last read. */
  void finish(Books books, long bytes);
}
