package io.tsdbsuite.rollup.report;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The report of a finished or current run. {@code RollupJob} returns it; the report file and the
 * final table show it.
 *
 * @param exitCode exit code of the process; null during the run
 * @param message one sentence with the reason for an exit code other than {@link ExitCode#DONE};
 *     otherwise empty
 * @param started start of the run
 * @param ended end of the run; during the run, the present
 * @param input facts about the input, by the names of the JSON report, in display order
 * @param output location of the output, in the same form; empty if the options define it, or if the
 *     run failed
 * @param intervals the rollup intervals, the narrowest first, for example {@code 1m,1h}
 * @param from first hour, inclusive
 * @param to last hour, exclusive
 * @param holdBack hold-back of the window from the present and the snapshot
 * @param plan plan of the input; null if not known yet
 * @param books books of the run
 * @param rollupsPerMessage maximum of rollups in one message of this run
 * @param phases seconds of wall clock for each phase, in order
 * @param warnings warnings for the operator, also of a successful run
 * @param identity identity that a resuming run must match
 * @param finished partitions that a resuming run does not read again; null if it must read
 *     everything
 * @param earlier state taken over from earlier runs; null for a new run
 * @param proof what the rollups prove once all of them are stored; null unless the run is done
 * @param dataFiles names of all HFiles of the data snapshot; empty unless the run is done
 */
public record RollupReport(
    @Nullable ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    Map<String, String> output,
    String intervals,
    Instant from,
    Instant to,
    HoldBack holdBack,
    @Nullable RollupPlan plan,
    Books books,
    int rollupsPerMessage,
    Map<String, Double> phases,
    List<String> warnings,
    RunIdentity identity,
    @Nullable FinishedPartitions finished,
    @Nullable EarlierRuns earlier,
    @Nullable RunProof proof,
    List<String> dataFiles) {

  /** Whether the run is in progress. */
  public boolean isRunning() {
    return exitCode == null;
  }

  /** Whether the run can be resumed: it failed and has finished partitions. */
  public boolean isResumable() {
    return kept().filter(partitions -> partitions.size() > 0).isPresent();
  }

  /**
   * The finished partitions that the report keeps. None if the run is done, and none after a
   * defect, because its counts and output may be wrong.
   */
  Optional<FinishedPartitions> kept() {
    return exitCode == ExitCode.DONE || exitCode == ExitCode.DEFECT
        ? Optional.empty()
        : Optional.ofNullable(finished);
  }
}
