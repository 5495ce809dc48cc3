package io.tsdbsuite.rollup.report;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.util.Optional;

/**
 * The end of a run.
 *
 * @param exitCode of the process
 * @param message why the output must not be used, or why the run did not finish; empty when all is
 *     well
 */
public record RunOutcome(ExitCode exitCode, String message) {
  /** The output is good. */
  public static final RunOutcome DONE = new RunOutcome(ExitCode.DONE, "");

  /** The run finished, but its input is bad. */
  public static RunOutcome badInput(String reason) {
    return new RunOutcome(ExitCode.BAD_INPUT, reason);
  }

  /** The run did not finish; the exit code says whether a retry can help. */
  public static RunOutcome failed(JobException cause) {
    return new RunOutcome(cause.exitCode(), cause.getMessage());
  }

  /** Bad input if there is a reason, else done. */
  public static RunOutcome of(Optional<String> reason) {
    return reason.map(RunOutcome::badInput).orElse(DONE);
  }
}
