package io.tsdbsuite.trigger.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.s3.S3Location;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobReportTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");

  private final FakeS3 s3 = new FakeS3();
  private final S3Reports reports =
      new S3Reports(s3.store(), S3Location.parse("s3://backup/reports"));

  private JobReport read(Object report) throws IOException {
    s3.put("reports/2026-11-20.json", report.toString());
    return reports.find(DAY).orElseThrow();
  }

  @Test
  void done() throws IOException {
    JobReport report = read(TestReport.done());
    assertThat(report.whyNotDone(DAY)).isEmpty();
    assertThat(report.number("/points/read")).isEqualTo(9480);
    assertThat(report.sum("/rows/failed")).isEqualTo(2);
    assertThat(report.duration()).hasMinutes(52);
    assertThat(report.version()).isEqualTo("rollup-job 1.2.3");
  }

  @Test
  void notDone() throws IOException {
    assertThat(read(TestReport.done()).whyNotDone(DAY.plusDays(1)))
        .contains(
            "its window must be 2026-11-21, found: 2026-11-20T00:00:00Z to"
                + " 2026-11-21T00:00:00Z");
    assertThat(read(TestReport.done().with("booksClose", false)).whyNotDone(DAY))
        .contains("its books do not close");
    assertThat(read(TestReport.failed(1, 3)).whyNotDone(DAY))
        .contains("its outcome is bad_input: something happened");
    assertThat(read(TestReport.failed(4, 3)).whyNotDone(DAY))
        .contains("its outcome is defect: something happened");
    assertThat(read(TestReport.killed(3)).whyNotDone(DAY)).contains("its outcome is running");
    assertThat(read("{\"report\":\"rollup-job\",\"v\":4}").whyNotDone(DAY))
        .contains(
            "it must be a report of rollup-job, version 1 to 3, found: report \"rollup-job\", v 4");
  }

  @Test
  void finishedPartitionsAreCountedOnly() throws IOException {
    JobReport report = read(TestReport.killed(17));
    assertThat(report.finishedPartitions()).isEqualTo(17);
    assertThat(report.root().at("/resume").has("finished")).isFalse();
    assertThat(report.option("--topic")).isEqualTo("rollups");
  }

  @Test
  void noReport() throws IOException {
    assertThat(reports.find(DAY)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"report\":", "no"})
  void aDamagedReport(String damaged) throws IOException {
    s3.put("reports/2026-11-20.json", damaged);
    assertThat(reports.find(DAY)).isEqualTo(Optional.empty());
  }
}
