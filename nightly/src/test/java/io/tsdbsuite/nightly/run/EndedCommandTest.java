package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.process.Children;
import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.report.JobReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndedCommandTest {
  private static final Instant STARTED = Instant.parse("2026-11-21T02:00:00Z");

  private static EndedCommand command(int status, Optional<JobReport> report) {
    return new EndedCommand(
        "rollup-job", new Children.Run(status, STARTED), report, Path.of("log"));
  }

  private static EndedCommand ended(int status, int exitCode, String time) {
    return command(
        status,
        Optional.of(
            Reports.of(
                "{\"state\":\"ended\",\"exitCode\":" + exitCode + ",\"ended\":\"" + time + "\"}")));
  }

  private static void requireDefect(EndedCommand command, String why) {
    assertThatThrownBy(command::success)
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DEFECT))
        .hasMessage("rollup-job ended with status 0, but " + why + ", see log");
  }

  @Test
  void successNeedsTheReportOfThisRun() {
    assertThat(ended(0, 0, "2026-11-21T02:00:01Z").success().text("/state")).isEqualTo("ended");
    requireDefect(command(0, Optional.empty()), "there is no report");
    requireDefect(ended(0, 0, "2026-11-21T01:59:59Z"), "its report is of an earlier run");
    requireDefect(ended(0, 3, "2026-11-21T02:00:01Z"), "its report has exit code '3'");
  }

  @Test
  void status1WithoutAReportIsNotTheJobs() {
    assertThat(ended(1, 1, "2026-11-21T02:00:01Z").code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ended(1, 1, "2026-11-21T01:59:59Z").code()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(command(1, Optional.empty()).code()).isEqualTo(ExitCode.OUTSIDE);
  }

  private static String message(String state, String ended) {
    String report =
        "{\"state\":\"%s\",\"ended\":\"%s\",\"updated\":\"%s\",\"message\":\"the broker is away\"}";
    return command(3, Optional.of(Reports.of(report.formatted(state, ended, ended))))
        .failure()
        .getMessage();
  }

  /** A report of an earlier run, or of a run that was killed, says nothing about this failure. */
  @Test
  void onlyTheMessageOfThisRun() {
    assertThat(message("ended", "2026-11-21T02:10:00Z"))
        .isEqualTo("rollup-job ended with status 3 (the broker is away), see log");
    assertThat(message("running", "2026-11-21T02:10:00Z"))
        .isEqualTo("rollup-job ended with status 3, see log");
    assertThat(message("ended", "2026-11-20T02:10:00Z"))
        .isEqualTo("rollup-job ended with status 3, see log");
  }
}
