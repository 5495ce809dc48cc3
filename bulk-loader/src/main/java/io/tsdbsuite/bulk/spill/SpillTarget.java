package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.report.Tally;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Journals spills. Thread-safe. */
@FunctionalInterface
public interface SpillTarget {
  /**
   * All points before a position are in runs that are on disk. Until this returns, the spill is
   * void: after a kill its points are read again and its file, if any, is replaced.
   *
   * @param run the spilled run; null if there was no point
   * @param upTo position at which reading continues
   * @param drained counters since the spill before
   */
  void committed(@Nullable RunFile run, ReadCheckpoint upTo, Tally drained) throws IOException;
}
