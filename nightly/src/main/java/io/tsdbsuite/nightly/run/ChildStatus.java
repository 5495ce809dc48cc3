package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.process.ChildRun;
import io.tsdbsuite.planner.report.JobReport;
import java.nio.file.Path;
import java.util.Optional;

/** What the exit status of a command of rollup-job means. */
final class ChildStatus {
  private ChildStatus() {}

  /**
   * The exit code of a command. A status that rollup-job does not have (a signal) is a failure from
   * outside. So is 1 without a report that says so: it is then spark-submit's own, which ends with
   * 1 when it cannot start the job.
   *
   * @param report the command's report; empty when there is none, and ignored if it is of an
   *     earlier run
   */
  static ExitCode of(ChildRun run, Optional<JobReport> report) {
    boolean says1 =
        report
            .filter(found -> found.number("/exitCode") == ExitCode.BAD_INPUT.code())
            .filter(found -> isOf(run, found))
            .isPresent();
    for (ExitCode code : ExitCode.values()) {
      if (code.code() == run.status() && (code != ExitCode.BAD_INPUT || says1)) {
        return code;
      }
    }
    return ExitCode.OUTSIDE;
  }

  /** Whether a report is of this run, not of an earlier one. */
  static boolean isOf(ChildRun run, JobReport report) {
    return report.ended().filter(ended -> !ended.isBefore(run.started())).isPresent();
  }

  /** The reason why a report does not say that this run was successful; empty if it does. */
  static Optional<String> whyNotOf(ChildRun run, Optional<JobReport> report) {
    if (report.isEmpty()) {
      return Optional.of("there is no report");
    }
    if (!isOf(run, report.get())) {
      return Optional.of("its report is of an earlier run");
    }
    return report.get().text("/exitCode").equals("0")
        ? Optional.empty()
        : Optional.of("its report has exit code '" + report.get().text("/exitCode") + "'");
  }

  /**
   * The failure of a command.
   *
   * @param command name of the command, for the message
   * @param report its message is told, if it is of this run
   * @param log its log
   */
  static JobException failure(
      String command, ChildRun run, ExitCode code, Optional<JobReport> report, Path log) {
    String why =
        report
            .filter(found -> !found.text("/state").equals("running"))
            .filter(found -> found.ended().filter(e -> !e.isBefore(run.started())).isPresent())
            .map(found -> found.text("/message"))
            .orElse("");
    String message =
        "%s ended with status %s%s, see %s"
            .formatted(command, run.status(), why.isEmpty() ? "" : " (" + why + ")", log);
    return switch (code) {
      case DONE, BAD_INPUT -> JobException.badInput(message);
      case USAGE -> JobException.usage(message);
      case OUTSIDE -> JobException.outside(message);
      case DEFECT -> JobException.defect(message, null);
    };
  }
}
