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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs to Kafka are looked for in HBase until they were found. */
class CoverageStepTest {
  private static final String DONE =
      "{\"report\":\"rollup-job coverage add\",\"v\":1,\"state\":\"ended\",\"exitCode\":0,"
          + "\"outcome\":\"done\",\"message\":\"\",\"started\":\"@NOW@\",\"ended\":\"@NOW@\",\"coverage\":{\"reason\":\"%s\"}}";

  private static final String MISSING =
      "{\"report\":\"rollup-job coverage add\",\"v\":1,\"state\":\"ended\",\"exitCode\":3,"
          + "\"outcome\":\"outside\",\"ended\":\"@NOW@\","
          + "\"coverage\":{\"reason\":\"7 cells are missing\",\"incomplete\":true}}";

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
    assertThat(looks().get(1)).as("before the day of the night").contains("--patience 0s");
  }

  /** As of a spark-submit that loses the status of the job. */
  @Test
  void status0WithoutAReportIsNotCovered() throws IOException {
    night.answer("coverage", 0, "", "");
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(result.line())
        .contains("rollup-job coverage add ended with status 0, but there is no report")
        .doesNotContain("covered");
  }

  /** Rollups that kafka-ingest has refused never come: no later night waits or fails for them. */
  @Test
  void aDayThatNeverBecomesCompleteIsWaitedForOnce() throws IOException {
    night.answer("coverage", 3, "", MISSING);
    NightResult first = night.nightly().run(List.of());
    assertThat(first.exitCode()).as("snapshots are pruned").isEqualTo(ExitCode.BAD_INPUT);
    assertThat(first.line()).contains("2026-11-20: rolled up", "not covered: 7 cells are missing");
    assertThat(dir.resolve("state/last-run.json"))
        .content()
        .contains("\"notCovered\" : 1", "\"reason\" : \"7 cells are missing\"");
    NightResult second = night.nightly().run(List.of());
    assertThat(second.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(second.line()).contains("2026-11-20: not covered: 7 cells are missing");
    night.answer("coverage", 0, "", DONE.formatted(""));
    assertThat(night.nightly().run(List.of()).line()).contains("2026-11-20: covered");
    assertThat(dir.resolve("state/last-run.json")).content().contains("\"notCovered\" : 0");
    assertThat(looks())
        .extracting(call -> call.replaceAll(".* --patience (\\d+)s.*", "$1"))
        .containsExactly("1800", "0", "0");
  }

  /** As of a spark-submit that loses the status of the job. */
  @Test
  void status0WithoutAReportIsNoPrune() throws IOException {
    night.answer("coverage", 0, "", DONE.formatted(""));
    night.set("export.root", dir.resolve("hbase").toUri().toString());
    night.set("prune.options", "--keep-days 3");
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(result.line())
        .contains("rollup-job prune ended with status 0, but there is no report")
        .doesNotContain("pruned the exports");
  }

  /** A look that began before the day was rolled up again may have been at the earlier run. */
  @Test
  void aLookThatBeganBeforeTheRunDecidesNothing() throws IOException {
    night.answer(
        "coverage", 0, "", DONE.formatted("").replaceFirst("@NOW@", "2026-11-20T00:00:00Z"));
    assertThat(night.nightly().run(List.of()).line()).contains(", covered");
    night.answer("coverage", 0, "", DONE.formatted(""));
    assertThat(night.nightly().run(List.of()).line()).contains("2026-11-20: covered");
    assertThat(night.nightly().run(List.of()).line()).contains("no day is due");
    assertThat(looks()).hasSize(2);
  }

  /** So the run knows which refreshes the coverage has. */
  @Test
  void earlierDaysAreLookedForBeforeADayIsRolledUp() throws IOException {
    night.dayBefore(Map.of());
    night.answer("coverage", 0, "", DONE.formatted(""));
    assertThat(night.nightly().run(List.of()).exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(night.calls()).hasSize(3);
    assertThat(night.calls().get(0)).contains("coverage add", "2026-11-19.json");
    assertThat(night.calls().get(1)).contains("--day 2026-11-20");
    assertThat(night.calls().get(2)).contains("coverage add", "2026-11-20.json");
  }

  @Test
  void whatProvesNothingIsToldOnce() throws IOException {
    night.answer("coverage", 0, "", DONE.formatted("2 points are NaN"));
    assertThat(night.nightly().run(List.of()).line()).contains("not covered: 2 points are NaN");
    assertThat(night.nightly().run(List.of()).line()).contains("no day is due");
    assertThat(looks()).hasSize(1);
  }

  /** The next night tries what the load could not do: its user may write the table now. */
  @Test
  void hfilesThatAreLoadedAndNotCovered() throws IOException {
    Path hfiles = Files.createDirectories(dir.resolve("hfiles/run"));
    Files.createFile(hfiles.resolve("_loaded"));
    night.set("kafka.bootstrap", "").set("kafka.topic", "");
    night.set("job.options", "--sink hfile --hfile-dir " + dir.resolve("hfiles").toUri());
    ObjectNode report = Reports.done().root();
    report.put("ended", "@NOW@");
    report.withObject("/resume/options").put("--sink", "hfile").put("--topic", "");
    report.withObject("/resume/snapshots").put("--data-snapshot", "2026-11-21T01:30:00Z");
    report.withObject("/resume/snapshots").put("--uid-snapshot", "2026-11-21T01:31:00Z");
    report.withObject("/proof").put("readAsOf", "2026-11-21T01:30:00Z");
    report.withObject("/output").put("hfileDir", hfiles.toUri().toString());
    night.answer("job", 0, "", report.toString());
    night.nightly().run(List.of());
    Files.writeString(
        dir.resolve("reports/load-2026-11-20.json"),
        "{\"exitCode\":0,\"ended\":\"2999-01-01T00:00:00Z\",\"message\":\"not covered: no rights\","
            + "\"coverage\":{\"reason\":\"no rights\"}}");

    night.answer("coverage", 0, "", DONE.formatted("no rights"));
    assertThat(night.nightly().run(List.of()).line()).contains("not covered: no rights");
    night.answer("coverage", 0, "", DONE.formatted(""));
    assertThat(night.nightly().run(List.of()).line()).contains("2026-11-20: covered");
    assertThat(night.nightly().run(List.of()).line()).contains("no day is due");
    assertThat(looks()).hasSize(2).allMatch(call -> call.contains("reports/2026-11-20.json"));
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
    assertThat(night.calls()).isNotEmpty().noneMatch(call -> call.contains("--coverage-table"));
  }

  /** Else it would take back the rollups of raw rows that were deleted. */
  @Test
  void theRunReadsTheFloorsOfTheTable() throws IOException {
    night.answer("coverage", 0, "", DONE.formatted(""));
    night.nightly().run(List.of());
    assertThat(night.calls().get(0)).contains(" --day 2026-11-20 ", " --coverage-table cov");
  }

  @Test
  void aTableOfTheJobsOptionsIsNotNamedTwice() throws IOException {
    night.answer("coverage", 0, "", DONE.formatted(""));
    night.set("job.options", "--coverage-table=other").nightly().run(List.of());
    assertThat(night.calls().get(0)).contains("--coverage-table=other").doesNotContain(" cov");
  }
}
