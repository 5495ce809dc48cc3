package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.report.Tally;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Journals spills. Safe to share between threads. */
@FunctionalInterface
public interface SpillTarget {
  /**
   * All points before a position are in runs that are on disk. A spill that this was not called or
   * did not return for never happened: its points are read again, and its run, if there is a file,
   * is replaced.
   *
   * @param run what was spilled, null if there was no point
   * @param upTo where reading continues
   * @param drained counters since the spill before
   */
  void committed(@Nullable RunFile run, ReadCheckpoint upTo, Tally drained) throws IOException;
}
