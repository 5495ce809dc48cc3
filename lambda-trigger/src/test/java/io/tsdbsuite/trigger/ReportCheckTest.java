package io.tsdbsuite.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.report.TestReport;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.s3.S3Location;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class ReportCheckTest {
  private static final String KEY = "reports/2026-11-20.json";
  private static final String INPUT =
      "{\"day\":\"2026-11-20\",\"report\":\"s3://backup/reports/2026-11-20.json\","
          + "\"notBefore\":\"2026-11-21T01:00:00Z\"}";

  private final FakeS3 s3 = new FakeS3();
  private final Metrics metrics = new Metrics("test");

  private final ReportCheck reports =
      new ReportCheck(new S3Reports(s3.store(), S3Location.parse("s3://backup/reports")));

  private static ReportCheck.Input input(String json) throws IOException {
    return ReportCheck.Input.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  private ObjectNode check(String input) throws IOException {
    return reports.check(input(input), metrics);
  }

  @Test
  void done() throws IOException {
    s3.put(KEY, TestReport.done().toString());
    assertThat(check(INPUT))
        .hasToString(
            "{\"day\":\"2026-11-20\",\"report\":\"s3://backup/reports/2026-11-20.json\","
                + "\"rowsRead\":313,\"rowsFailed\":2,\"pointsRead\":9480,\"rollups\":333,"
                + "\"messagesAcknowledged\":333,\"seconds\":3142,\"warnings\":0}");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    metrics.write(new PrintStream(out, true, StandardCharsets.UTF_8), Clock.systemUTC());
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"DaysSucceeded\":1", "\"PointsRead\":9480", "\"JobTime\":3142.117");
  }

  /** The sum of the day is infinite: its rows are valid, and the run ends with exit code 0. */
  @Test
  void aFailedDayOfASeriesIsAFailedRow() throws IOException {
    TestReport report = TestReport.done().with("/days/failed", "failedDay", "1");
    s3.put(KEY, report.with("/days/failed", "incompleteDay", "5").toString());
    check(INPUT);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    metrics.write(new PrintStream(out, true, StandardCharsets.UTF_8), Clock.systemUTC());
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"RowsFailed\":3", "\"DaysOfSeriesFailed\":6");
  }

  @Test
  void notDone() {
    requireNotDone("does not exist");
    s3.put(KEY, TestReport.killed(3).toString());
    requireNotDone("its outcome is running");
    s3.put(KEY, TestReport.failed(3, 1).toString());
    requireNotDone("its outcome is outside: something happened");
    s3.put(KEY, TestReport.done().with("booksClose", false).toString());
    requireNotDone("its books do not close");
    s3.put(KEY, TestReport.done().with("", "ended", "2026-11-21T00:59:59Z").toString());
    requireNotDone("an earlier run wrote it, which ended before 2026-11-21T01:00:00Z");
  }

  private void requireNotDone(String why) {
    assertThatThrownBy(() -> check(INPUT))
        .isInstanceOf(ReportNotDone.class)
        .hasMessageContaining(why);
  }

  /** Spot nodes were lost in each case. */
  @Test
  void onlyWhatAnotherClusterMayMendRunsAgain() throws IOException {
    ReportCheck.Input failed = input(INPUT.replace("}", ",\"failed\":true}"));
    assertThat(failed.failed()).isTrue();
    assertThat(reports.mayRunAgain(failed)).as("no report").isTrue();
    s3.put(KEY, TestReport.killed(3).toString());
    assertThat(reports.mayRunAgain(failed)).as("the driver was lost").isTrue();
    for (int exitCode : new int[] {1, 2, 4}) {
      s3.put(KEY, TestReport.failed(exitCode, 3).toString());
      assertThat(reports.mayRunAgain(failed)).as("exit code %s", exitCode).isFalse();
    }
    TestReport earlier = TestReport.failed(2, 0).with("", "ended", "2026-11-21T00:59:59Z");
    s3.put(KEY, earlier.toString());
    assertThat(reports.mayRunAgain(failed)).as("that of an earlier run").isTrue();
    for (int exitCode : new int[] {0, 3}) {
      s3.put(KEY, TestReport.failed(exitCode, 3).toString());
      assertThat(reports.mayRunAgain(failed)).as("exit code %s", exitCode).isTrue();
    }
  }

  @Test
  void inputsThatBreakARule() {
    assertThatThrownBy(() -> check("{}")).hasMessageContaining("the input must have day");
    assertThatThrownBy(() -> check(INPUT.replace("reports/", "other/")))
        .hasMessageContaining("must be s3://backup/reports/2026-11-20.json, found: ");
  }
}
