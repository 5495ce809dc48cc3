package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.LoadState;
import java.io.IOException;
import java.util.List;

/** Finds ranges that were written, or partly, and cannot be relied on. */
interface Doubts {
  /** None ever. */
  Doubts NONE = state -> Found.NOTHING;

  /**
   * What was found.
   *
   * @param ranges numbers of ranges to be written anew
   * @param why for people; empty if there are none
   */
  record Found(List<Integer> ranges, String why) {
    /** Nothing. */
    static final Found NOTHING = new Found(List.of(), "");
  }

  /**
   * Looks.
   *
   * @param state what is done
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  Found find(LoadState state) throws IOException;
}
