package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.process.Children;
import io.tsdbsuite.planner.report.JobReport;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * A command of rollup-job that has ended.
 *
 * @param name the command, for messages
 * @param child its process
 * @param found the report at its location, which may be of an earlier run; empty if there is none
 * @param log its log
 */
record EndedCommand(String name, Children.Run child, Optional<JobReport> found, Path log) {
  /** Its report; empty if this run has written none. */
  Optional<JobReport> report() {
    return found.filter(
        report -> report.ended().filter(ended -> !ended.isBefore(child.started())).isPresent());
  }

  /**
   * The meaning of its status. A status that rollup-job does not have (a signal) is a failure from
   * outside. So is 1 without a report that says so: it is then spark-submit's own, which ends with
   * 1 when it cannot start the job.
   */
  ExitCode code() {
    boolean says1 =
        report().filter(one -> one.number("/exitCode") == ExitCode.BAD_INPUT.code()).isPresent();
    for (ExitCode code : ExitCode.values()) {
      if (code.code() == child.status() && (code != ExitCode.BAD_INPUT || says1)) {
        return code;
      }
    }
    return ExitCode.OUTSIDE;
  }

  /**
   * The report of a command that was successful.
   *
   * @throws JobException if it was not; a defect, if only its report does not say so
   */
  JobReport success() {
    return success(report -> Optional.empty());
  }

  /**
   * The report of a command that was successful, by a further rule.
   *
   * @param whyNot why a report does not say that this command was successful; empty if it does
   * @throws JobException as {@link #success()}
   */
  JobReport success(Function<JobReport, Optional<String>> whyNot) {
    if (code() != ExitCode.DONE) {
      throw failure();
    }
    Optional<String> why =
        report().isEmpty()
            ? Optional.of(
                found.isEmpty() ? "there is no report" : "its report is of an earlier run")
            : whyNotDone(report().get()).or(() -> whyNot.apply(report().get()));
    if (why.isPresent()) {
      throw JobException.defect(
          "%s ended with status 0, but %s, see %s".formatted(name, why.get(), log), null);
    }
    return report().orElseThrow();
  }

  private static Optional<String> whyNotDone(JobReport report) {
    String code = report.text("/exitCode");
    return code.equals("0")
        ? Optional.empty()
        : Optional.of("its report has exit code '" + code + "'");
  }

  /** Its failure, with the message of its report. */
  JobException failure() {
    String why =
        report()
            .filter(one -> !one.text("/state").equals("running"))
            .map(one -> one.text("/message"))
            .orElse("");
    String message =
        "%s ended with status %s%s, see %s"
            .formatted(name, child.status(), why.isEmpty() ? "" : " (" + why + ")", log);
    return switch (code()) {
      case DONE, BAD_INPUT -> JobException.badInput(message);
      case USAGE -> JobException.usage(message);
      case OUTSIDE -> JobException.outside(message);
      case DEFECT -> JobException.defect(message, null);
    };
  }
}
