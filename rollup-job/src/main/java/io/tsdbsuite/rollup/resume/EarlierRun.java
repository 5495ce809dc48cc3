package io.tsdbsuite.rollup.resume;

import io.tsdbsuite.rollup.report.EarlierRuns;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.time.Instant;

/**
 * An earlier run, read from its report.
 *
 * @param report name of the report
 * @param done whether the run was complete, so that there is nothing to resume
 * @param identity its options, snapshots, destination and plan
 * @param started start of the run; if it was a resumed run, start of the first run
 * @param runs number of runs before it
 * @param finished partitions that need not be read again; empty when it is done
 */
public record EarlierRun(
    String report,
    boolean done,
    RunIdentity identity,
    Instant started,
    int runs,
    FinishedPartitions finished) {

  /** Returns the state that a resuming run takes over. */
  public EarlierRuns toEarlierRuns() {
    return new EarlierRuns(report, runs + 1, started, finished.size(), finished.books());
  }
}
