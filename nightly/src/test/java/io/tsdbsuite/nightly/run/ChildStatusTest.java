package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.process.ChildRun;
import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.report.JobReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChildStatusTest {
  private static final Instant STARTED = Instant.parse("2026-11-21T02:00:00Z");
  private static final ChildRun DONE = new ChildRun(0, STARTED);

  private static Optional<JobReport> ended(int exitCode, String time) {
    return Optional.of(
        Reports.of(
            "{\"state\":\"ended\",\"exitCode\":" + exitCode + ",\"ended\":\"" + time + "\"}"));
  }

  @Test
  void successNeedsTheReportOfThisRun() {
    assertThat(ChildStatus.whyNotOf(DONE, ended(0, "2026-11-21T02:00:01Z"))).isEmpty();
    assertThat(ChildStatus.whyNotOf(DONE, Optional.empty())).contains("there is no report");
    assertThat(ChildStatus.whyNotOf(DONE, ended(0, "2026-11-21T01:59:59Z")))
        .contains("its report is of an earlier run");
    assertThat(ChildStatus.whyNotOf(DONE, ended(3, "2026-11-21T02:00:01Z")))
        .contains("its report has exit code '3'");
  }

  @Test
  void status1WithoutAReportIsNotTheJobs() {
    ChildRun run = new ChildRun(1, STARTED);
    assertThat(ChildStatus.of(run, ended(1, "2026-11-21T02:00:01Z"))).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ChildStatus.of(run, ended(1, "2026-11-21T01:59:59Z"))).isEqualTo(ExitCode.OUTSIDE);
    assertThat(ChildStatus.of(run, Optional.empty())).isEqualTo(ExitCode.OUTSIDE);
  }

  private static final ChildRun RUN = new ChildRun(3, Instant.parse("2026-11-21T01:30:00Z"));

  private static String message(String state, String ended) {
    JobReport report =
        new JobReport(
            new ObjectMapper()
                .createObjectNode()
                .put("state", state)
                .put("ended", ended)
                .put("updated", ended)
                .put("message", "the broker is away"),
            0);
    return ChildStatus.failure(
            "rollup-job", RUN, ExitCode.OUTSIDE, Optional.of(report), Path.of("log"))
        .getMessage();
  }

  /** A report of an earlier run, or of a run that was killed, says nothing about this failure. */
  @Test
  void onlyTheMessageOfThisRun() {
    assertThat(message("ended", "2026-11-21T01:40:00Z"))
        .isEqualTo("rollup-job ended with status 3 (the broker is away), see log");
    assertThat(message("running", "2026-11-21T01:40:00Z"))
        .isEqualTo("rollup-job ended with status 3, see log");
    assertThat(message("ended", "2026-11-20T01:40:00Z"))
        .isEqualTo("rollup-job ended with status 3, see log");
  }
}
