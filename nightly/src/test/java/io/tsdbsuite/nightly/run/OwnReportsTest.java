package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import io.tsdbsuite.planner.run.CommandOptions;
import io.tsdbsuite.planner.run.KafkaTarget;
import io.tsdbsuite.planner.run.RunSettings;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnReportsTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");

  private final JobReport report = Reports.done();

  private OwnReports reports(String table, String topic, String... options) {
    ReportStore store =
        new ReportStore() {
          @Override
          public String location(LocalDate day) {
            return "/reports/" + day + ".json";
          }

          @Override
          public Optional<JobReport> find(LocalDate day) {
            return Optional.of(report);
          }
        };
    return new OwnReports(
        new RunSettings(
            "hdfs://nn/hbase",
            table,
            "rollup-job.jar",
            Optional.empty(),
            Optional.of(new KafkaTarget("b1:9092", topic, "")),
            new CommandOptions(List.of(options)),
            Map.of(),
            true),
        store);
  }

  @Test
  void reportsOfTheseSettings() throws IOException {
    assertThat(reports("tsdb", "rollups").find(DAY)).isPresent();
    assertThat(reports("tsdb", "rollups", "--interval", "1h").find(DAY)).isPresent();
    // No report of success of that day, whatever its settings: the day is due.
    assertThat(reports("other", "rollups").find(DAY.plusDays(1))).isPresent();
  }

  @Test
  void reportsOfOtherSettings() {
    requireOther(reports("ns:tsdb", "rollups"), "the data table differs: 'tsdb' in the report,");
    requireOther(
        reports("tsdb", "rollups", "--interval", "1h,1d"),
        "--interval differs: '1h' in the report, '1h,1d' in the configuration");
    requireOther(reports("tsdb", "rollups", "--metrics", "sys.*"), "--metrics differs: '' in");
    requireOther(reports("tsdb", "other"), "--topic differs: 'rollups' in the report, 'other' in");
  }

  @Test
  void reportsOfOtherVersions() throws IOException {
    report.root().put("v", 2);
    assertThat(reports("tsdb", "rollups").find(DAY)).isPresent();
    report.root().put("v", 4);
    assertThatThrownBy(() -> reports("tsdb", "rollups").find(DAY))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageStartingWith(
            "/reports/2026-11-20.json is of a later rollup-job, its version is 4");
  }

  private static void requireOther(OwnReports reports, String difference) {
    assertThatThrownBy(() -> reports.find(DAY))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageStartingWith("/reports/2026-11-20.json must be of a run")
        .hasMessageContaining(difference);
  }
}
