package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.LoadState;
import java.io.IOException;

/** Finds written ranges that must be written again. */
interface RangeCheck {
  /** Finds none. */
  RangeCheck NONE = state -> StaleRanges.NONE;

  /**
   * Checks the ranges that are begun or written.
   *
   * @param state progress of the load
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  StaleRanges find(LoadState state) throws IOException;
}
