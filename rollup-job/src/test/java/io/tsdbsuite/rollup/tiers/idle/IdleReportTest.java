package io.tsdbsuite.rollup.tiers.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleReportTest {
  private static final Instant NOW = Instant.parse("2026-11-28T02:00:00Z");

  private static IdleReport report(long read, long left, long rowsOfSeries) {
    IdleReport.Entry entry =
        new IdleReport.Entry(
            2,
            "app.*",
            365,
            Instant.parse("2025-11-28T00:00:00Z"),
            read,
            5,
            2,
            new TreeMap<>(Map.of("histograms", 1L)),
            left,
            700,
            rowsOfSeries,
            null,
            List.of(
                new IdleReport.Table(
                    "1h", "idle-1h.json", 2, 0, 8, new TreeMap<>(Map.of("empty", 1L)))));
    return new IdleReport(
        ExitCode.DONE,
        "",
        NOW,
        NOW,
        Map.of(),
        List.of(entry, entry.with(new Proof.Series("s", 5, "0"))),
        List.of());
  }

  @ParameterizedTest
  @CsvSource({"11, 3, 700, true", "12, 3, 700, false", "11, 2, 700, false", "11, 3, 701, false"})
  void eachSeriesHasOneFateAndEachRowASeries(long read, long left, long rows, boolean closes) {
    IdleReport report = report(read, left, rows);
    assertThat(report.booksClose()).isEqualTo(closes);
    assertThat(report.report().json().get("booksClose").booleanValue()).isEqualTo(closes);
    assertThat(report.report().table().toString())
        .contains(closes ? "books              close" : "books              DO NOT CLOSE");
  }

  @Test
  void filesAreNamedIfTheyWereWritten() {
    String counted =
        "{\"entry\":2,\"match\":\"app.*\",\"idleDays\":365,\"before\":\"2025-11-28T00:00:00Z\","
            + "\"series\":{\"read\":11,\"idle\":5,\"live\":2,\"left\":3,"
            + "\"kept\":{\"histograms\":1}},";
    String table =
        "\"tables\":[{\"table\":\"1h\",\"rows\":2,\"annotatedRows\":0,\"points\":8,"
            + "\"kept\":{\"empty\":1}";
    assertThat(report(11, 3, 700).report().json().get("entries").toString())
        .isEqualTo(
            "["
                + counted
                + table
                + "}]},"
                + counted
                + "\"file\":\"s\",\"sha256\":\"0\","
                + table
                + ",\"file\":\"idle-1h.json\"}]}]");
    assertThat(report(11, 3, 700).report().table().toString())
        .contains("entry 2            app.*, no write since 2025-11-28T00:00:00Z")
        .containsPattern("  idle, left for the next proof +3")
        .contains("1h: 2 rows and 0 with annotations may lose 8 cells");
  }
}
