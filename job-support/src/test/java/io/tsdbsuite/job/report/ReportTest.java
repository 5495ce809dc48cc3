package io.tsdbsuite.job.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Instant STARTED = Instant.parse("2026-11-20T03:00:00Z");

  @Test
  void bothFormsHaveWhatIsStatedOnce() {
    Report report =
        new Report("a job", 2)
            .outcome(ExitCode.OUTSIDE, "HBase is away")
            .times(STARTED, STARTED.plusSeconds(1));
    report.facts("input", Map.of("dataTable", "tsdb"));
    report
        .section("rowsRead")
        .count("inWindow", 1234)
        .rare("lost", "lost rows", 0)
        .reason("failed", "badKey", "bad key", 1)
        .json()
        .put("bytes", 7);
    report.section("days", null).count("read", 3);
    report.phases(Map.of("read", 1.25));
    report.list("warnings", "warning", List.of("be careful"));
    assertThat(report.json().toString())
        .isEqualTo(
            "{\"report\":\"a job\",\"v\":2,\"state\":\"ended\",\"exitCode\":3,"
                + "\"outcome\":\"outside\",\"message\":\"HBase is away\","
                + "\"started\":\"2026-11-20T03:00:00Z\",\"ended\":\"2026-11-20T03:00:01Z\","
                + "\"input\":{\"dataTable\":\"tsdb\"},"
                + "\"rowsRead\":{\"inWindow\":1234,\"lost\":0,\"failed\":{\"badKey\":1},"
                + "\"bytes\":7},\"days\":{\"read\":3},\"secondsByPhase\":{\"read\":1.25},"
                + "\"warnings\":[\"be careful\"]}");
    assertThat(report.end("close").table().toString().lines())
        .containsExactly(
            "data table         tsdb",
            "rows read          in window                                             1,234",
            "                   failed: bad key                                           1",
            "seconds: read      1.3",
            "warning            be careful",
            "books              close",
            "outcome            exit code 3: HBase is away");
  }

  @Test
  void aRunThatHasNotEnded() {
    Report report = new Report("a job", 2).outcome(null, "").times(STARTED, STARTED);
    assertThat(report.jsonText())
        .contains("\"state\" : \"running\"", "\"exitCode\" : null", "\"outcome\" : \"running\"")
        .contains("\"updated\" : \"2026-11-20T03:00:00Z\"")
        .doesNotContain("ended")
        .endsWith("}\n");
  }
}
