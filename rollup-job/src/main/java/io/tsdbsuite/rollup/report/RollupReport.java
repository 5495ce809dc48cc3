package io.tsdbsuite.rollup.report;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * How a run went, or how it goes: what {@code RollupJob} returns, and what the report file and the
 * final table are made of.
 *
 * @param exitCode what the process ends with; null while it runs
 * @param message one sentence that says why it is not {@link ExitCode#DONE}; empty when it is
 * @param started when the run began
 * @param ended when it ended; while it runs, the present
 * @param input what was read, by the names of the JSON report, in the order in which it is shown
 * @param output where it has been written to, likewise; empty when the options say it all, or when
 *     the run did not end well
 * @param intervals the rollup intervals, the narrowest first, for example {@code 1m,1h}
 * @param from first hour, inclusive
 * @param to last hour, exclusive
 * @param holdBack how far the window stayed behind the present and the snapshot
 * @param plan what there was to read; null when it was not known yet
 * @param books what became of it
 * @param phases seconds of wall clock for each phase, in order
 * @param warnings what an operator should know though the run went well
 * @param identity by what a run that goes on with this one is held to be the same
 * @param finished what that run need not read again; null when it would have to read everything
 * @param earlier what this run took over; null when it began anew
 * @param dataFiles names of all HFiles of the data snapshot; empty unless the run is done
 */
public record RollupReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    Map<String, String> output,
    String intervals,
    Instant from,
    Instant to,
    HoldBack holdBack,
    RollupPlan plan,
    Books books,
    Map<String, Double> phases,
    List<String> warnings,
    RunIdentity identity,
    FinishedPartitions finished,
    EarlierRuns earlier,
    List<String> dataFiles) {

  /** Whether the run has not ended yet. */
  public boolean isRunning() {
    return exitCode == null;
  }

  /** Whether there is something to resume: finished partitions of a run that did not end well. */
  public boolean isResumable() {
    return keepsFinished() && finished.size() > 0;
  }

  /**
   * Whether finished partitions are kept: not of a run that is done, and not of one that met a
   * defect, for nobody knows whether what it has counted and emitted is right.
   */
  boolean keepsFinished() {
    return exitCode != ExitCode.DONE && exitCode != ExitCode.DEFECT && finished != null;
  }
}
