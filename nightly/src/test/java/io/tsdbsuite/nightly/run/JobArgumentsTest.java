package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.report.NightResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rollup-job is asked to do, so that it does not refuse it. */
class JobArgumentsTest {
  private static final Map<String, String> REPORTED =
      Map.of("--tsd.storage.salt.width", "1", "--tsd.storage.salt.buckets", "5");

  @TempDir private Path dir;
  private StubNight night;

  @BeforeEach
  void aNight() throws IOException {
    night =
        new StubNight(dir)
            .snapshots()
            .done()
            .tsd(
                "tsd.storage.salt.width = 1",
                "tsd.storage.salt.buckets = 5",
                "tsd.storage.fix_duplicates = true");
  }

  private String call() throws IOException {
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).as(result.line()).isEqualTo(ExitCode.DONE);
    assertThat(night.calls()).hasSize(1);
    return night.calls().get(0);
  }

  @Test
  void theReportOfTheDayBefore() throws IOException {
    night.dayBefore(REPORTED);
    assertThat(call()).contains(" --since-report " + dir.resolve("reports/2026-11-19.json"));
  }

  /** The run of 2026-11-19 had failed rows, so its search is not in the coverage. */
  @Test
  void theLastReportWhoseRefreshIsInTheCoverage() throws IOException {
    Map<String, String> searched = new HashMap<>(REPORTED);
    searched.put("--changed-since", "2026-11-18T01:25:00Z");
    night.day(LocalDate.parse("2026-11-18"), searched).dayBefore(searched);
    Path reports = dir.resolve("reports");
    Files.writeString(
        reports.resolve("coverage-2026-11-18.json"),
        "{\"exitCode\":0,\"ended\":\"2026-11-21T03:00:00Z\","
            + "\"coverage\":{\"reason\":\"\",\"windows\":[{\"changesSince\":\"x\"}]}}");
    assertThat(call())
        .contains(
            " --since-report "
                + reports.resolve("2026-11-19.json")
                + " --refresh-report "
                + reports.resolve("2026-11-18.json"));
  }

  /** The job refuses that report, whichever night asks: no later one could go on. */
  @ParameterizedTest
  @CsvSource({
    "tsd.storage.salt.buckets,20",
    "tsd.storage.fix_duplicates,false",
    "tsd.storage.hbase.uid_table,tsdb-uid-2",
    "tsd.storage.use_max_value,false"
  })
  void aKeyOfTheTsdWasChanged(String key, String value) throws IOException {
    night.dayBefore(REPORTED);
    night.set("job.options", "--" + key + "=" + value);
    if (key.endsWith("uid_table")) {
      night.set("job.options", "").dayBefore(Map.of("--" + key, "tsdb-uid-2"));
    }
    assertThat(call())
        .contains(" --changed-since 2026-11-20T01:25:00Z")
        .doesNotContain("--since-report");
    assertThat(night.progress)
        .anyMatch(line -> line.endsWith(": --" + key + " differs from that day's"));
  }

  @Test
  void theOptionsOfTheJobOverrideTheFileOfTheTsd() throws IOException {
    night
        .dayBefore(REPORTED)
        .tsd()
        .set(
            "job.options",
            "--tsd.storage.salt.width 1 --tsd.storage.salt.buckets=5"
                + " --tsd.storage.fix_duplicates=1");
    assertThat(call()).contains(" --since-report ");
  }

  /** The rest of the day, from the snapshot that has most of it. */
  @Test
  void aDayWhoseFirstPointsHaveExpired() throws IOException {
    night.snapshots(Duration.ofDays(3)).set("first-day", "2026-11-17");
    List<LocalDate> days = List.of(LocalDate.parse("2026-11-19"));
    NightResult refused = night.nightly().run(days);
    assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.line()).contains("roll up the rest with --allow-expired");
    assertThat(night.calls()).isEmpty();
    night.set("job.options", "--allow-expired");
    night.nightly().run(days);
    assertThat(night.calls()).singleElement().asString().contains(" --day 2026-11-19 ");
    NightResult gone = night.nightly().run(List.of(LocalDate.parse("2026-11-17")));
    assertThat(gone.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(gone.line()).contains("all its points have expired");
  }
}
