package io.tsdbsuite.rollup.report;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.util.Optional;

/** The end of a run. */
public sealed interface RunOutcome {
  /** The exit code of the run. */
  ExitCode exitCode();

  /** For the user; empty when all is well. */
  String message();

  /** The output is good. */
  record Done() implements RunOutcome {
    @Override
    public ExitCode exitCode() {
      return ExitCode.DONE;
    }

    @Override
    public String message() {
      return "";
    }
  }

  /**
   * The run finished, but its input is bad.
   *
   * @param message why the output must not be used
   */
  record BadInput(String message) implements RunOutcome {
    @Override
    public ExitCode exitCode() {
      return ExitCode.BAD_INPUT;
    }
  }

  /**
   * The run did not finish.
   *
   * @param cause its exit code tells the caller whether a retry can help
   */
  record Failed(JobException cause) implements RunOutcome {
    @Override
    public ExitCode exitCode() {
      return cause.exitCode();
    }

    @Override
    public String message() {
      return cause.getMessage();
    }
  }

  /** Bad input if there is a reason, else done. */
  static RunOutcome of(Optional<String> reason) {
    return reason.<RunOutcome>map(BadInput::new).orElseGet(Done::new);
  }
}
