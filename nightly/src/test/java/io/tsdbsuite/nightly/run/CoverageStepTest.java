package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.report.NightResult;
import io.tsdbsuite.nightly.report.Reports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs to Kafka are looked for in HBase until they were found. */
class CoverageStepTest {
  private static final String DONE =
      "{\"report\":\"rollup-job coverage add\",\"v\":1,\"state\":\"ended\",\"exitCode\":0,"
          + "\"outcome\":\"done\",\"message\":\"\",\"ended\":\"@NOW@\",\"coverage\":{\"reason\":\"%s\"}}";

  @TempDir private Path dir;
  private StubNight night;

  @BeforeEach
  void start() throws IOException {
    night = new StubNight(dir).snapshots().set("coverage.table", "cov");
    ObjectNode report = Reports.done().root();
    report.put("ended", "@NOW@");
    report.withObject("/resume/snapshots").put("--data-snapshot", "2026-11-21T01:30:00Z");
    report.withObject("/resume/snapshots").put("--uid-snapshot", "2026-11-21T01:31:00Z");
    report.withObject("/proof").put("readAsOf", "2026-11-21T01:30:00Z");
    night.answer("job", 0, "", report.toString());
  }

  private List<String> looks() throws IOException {
    return night.calls().stream().filter(call -> call.contains(" coverage add ")).toList();
  }

  @Test
  void aDayIsLookedForUntilItWasFound() throws IOException {
    night.answer("coverage", 3, "", "");
    NightResult missing = night.nightly().run(List.of());
    assertThat(missing.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(missing.line()).contains("rollup-job coverage add ended with status 3");

    night.answer("coverage", 0, "", DONE.formatted(""));
    NightResult found = night.nightly().run(List.of());
    assertThat(found.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(found.line()).contains("2026-11-20: covered");
    assertThat(night.nightly().run(List.of()).line()).contains("no day is due");
    assertThat(looks()).hasSize(2);
    assertThat(looks().get(0))
        .contains("--evidence " + dir.resolve("reports/2026-11-20.json"))
        .contains("--coverage-table cov --patience 1800s")
        .contains("--report " + dir.resolve("reports/coverage-2026-11-20.json"));
  }

  @Test
  void whatProvesNothingIsToldOnce() throws IOException {
    night.answer("coverage", 0, "", DONE.formatted("2 points are NaN"));
    assertThat(night.nightly().run(List.of()).line()).contains("not covered: 2 points are NaN");
    assertThat(night.nightly().run(List.of()).line()).contains("no day is due");
    assertThat(looks()).hasSize(1);
  }

  /** Under its own name: it does not replace the report of the run. */
  @Test
  void itsReportGoesToTheMetrics() throws IOException {
    Path script =
        Files.writeString(dir.resolve("metrics.sh"), "echo \"$1\" >>'" + dir + "/sent'\n");
    night.answer("coverage", 0, "", DONE.formatted(""));
    night.set("metrics.command", "sh " + script).set("metrics.push", "http://gateway:9091");
    assertThat(night.nightly().run(List.of()).exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(Files.readAllLines(dir.resolve("sent")))
        .extracting(line -> Path.of(line).getFileName().toString())
        .containsExactly("last-run.json", "rollup-job.json", "rollup-job-coverage.json");
  }

  @Test
  void nothingIsLookedForWithoutATable() throws IOException {
    night.set("coverage.table", "none").nightly().run(List.of());
    night.set("coverage.table", "").nightly().run(List.of());
    assertThat(looks()).isEmpty();
  }
}
