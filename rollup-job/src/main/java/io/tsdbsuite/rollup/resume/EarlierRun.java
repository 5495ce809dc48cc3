package io.tsdbsuite.rollup.resume;

import io.tsdbsuite.rollup.report.EarlierRuns;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.time.Instant;

/**
 * A run as its report tells of it.
 *
 * @param report where the report was read from
 * @param done whether it did all that it should, so that nothing is left
 * @param identity what it was asked to do, and over which snapshots and plan
 * @param started when it began, or the first run that it had gone on from
 * @param runs how many runs there were before it
 * @param finished the partitions that need not be read again; empty when it is done
 */
public record EarlierRun(
    String report,
    boolean done,
    RunIdentity identity,
    Instant started,
    int runs,
    FinishedPartitions finished) {

  /** What a run that goes on with this one takes over. */
  public EarlierRuns toEarlierRuns() {
    return new EarlierRuns(report, runs + 1, started, finished.size(), finished.books());
  }
}
