package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Context of a command besides its options.
 *
 * @param given the options for the report, without secrets
 * @param tsdKeys keys of opentsdb.conf given as options; they override the file's
 * @param problems of the parser; the command adds its own
 */
record Invocation(
    PrintWriter out,
    PrintWriter err,
    Clock clock,
    List<String> given,
    Map<String, String> tsdKeys,
    Problems problems) {
  /**
   * A value that is null only if there are problems.
   *
   * @throws io.tsdbsuite.job.JobException usage, with all problems
   */
  <T> T valid(@Nullable T value) {
    problems.throwIfAny();
    return Objects.requireNonNull(value);
  }

  /** Prints the result of a command. */
  ExitCode print(String text) {
    out.print(text);
    out.flush();
    return ExitCode.DONE;
  }

  /** The progress display. */
  ProgressTracker progress(RunSettings run) {
    return ProgressTracker.of(run.progress(), System.err, clock).ticking();
  }
}
