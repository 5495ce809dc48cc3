package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.process.ChildRun;
import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.report.JobReport;
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
}
