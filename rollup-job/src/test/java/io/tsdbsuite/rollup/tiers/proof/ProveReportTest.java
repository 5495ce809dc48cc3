package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Day;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Outcome;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Totals;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.VerifyBooks;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProveReportTest {
  private static Day day(String date, Outcome outcome, String reason, String file) {
    boolean proven = outcome == Outcome.PROVEN || outcome == Outcome.ALREADY_PROVEN;
    return new Day(
        "raw",
        (int) LocalDate.parse(date).toEpochDay(),
        1,
        "app.*",
        outcome,
        reason,
        file,
        proven ? Totals.of(ProofStoreTest.proof()) : null);
  }

  private static Day rollups(String table, String date, List<String> compared) {
    return new Day(
        table,
        (int) LocalDate.parse(date).toEpochDay(),
        1,
        "app.*",
        Outcome.PROVEN,
        "",
        table + "-" + date + "-0123456789ab.json",
        new Totals("abc", 1000, 0, 96000, new TreeMap<>(Map.of("unknownColumns", 2L)), compared));
  }

  private static VerifyReport compared(Books raw, SortedMap<String, RunProof.OddMetric> odd) {
    return new VerifyReport(
        ExitCode.DONE,
        "",
        Instant.EPOCH,
        Instant.EPOCH,
        Map.of(),
        List.of("1h"),
        List.of(),
        Instant.EPOCH,
        Instant.EPOCH,
        new SeriesSample(1, 1, 0),
        new VerifyBooks(),
        raw,
        odd,
        null,
        List.of(),
        Map.of(),
        List.of());
  }

  /** No rollup of the day on either side is equal, and proves nothing of the other rows. */
  @Test
  void failedDaysAreNotProven() {
    Books books = new Books();
    SortedMap<String, RunProof.OddMetric> odd = new TreeMap<>();
    assertThat(DayComparison.incomplete(compared(books, odd))).isEmpty();
    books.dayRead();
    books.dayFailed(FailReason.INCOMPLETE_DAY, () -> "a day");
    assertThat(DayComparison.incomplete(compared(books, odd)))
        .startsWith("1 days of series failed: they have no");
    books.oddHistograms(1, 2);
    odd.put("app.latency", new RunProof.OddMetric(7, 0, 86400));
    assertThat(DayComparison.incomplete(compared(books, odd)))
        .startsWith(
            "1 histograms are too wide to be stored, and 2 lack the points beside their cells, of"
                + " metrics: app.latency. Only raw data have them: ");
  }

  @Test
  void theFilesAreLiteral() throws IOException {
    ProveReport report =
        new ProveReport(
            ExitCode.BAD_INPUT,
            "1 of 4 days of entries are refused",
            Instant.parse("2026-11-27T03:00:00Z"),
            Instant.parse("2026-11-27T03:05:00Z"),
            Map.of("dataSnapshot", "tsdb-20261127"),
            7,
            List.of(
                day("2026-10-25", Outcome.ALREADY_PROVEN, "", "raw-2026-10-25-0123456789ab.json"),
                day("2026-10-26", Outcome.PROVEN, "", "raw-2026-10-26-0123456789ab.json"),
                day(
                    "2026-10-27",
                    Outcome.REFUSED,
                    "of 25 rollups 1 are missing",
                    "verify-raw-2026-10-27-0123456789ab.json"),
                day("2026-10-28", Outcome.NOT_REACHED, "", ""),
                day("2026-10-29", Outcome.WAITING, "the floor of raw must be later", ""),
                rollups("1h", "2025-10-28", List.of("6h", "1d")),
                rollups("1d", "2021-01-01", List.of())),
            List.of("a warning"));
    Report found = report.report();
    Path files = Path.of("src/test/resources/reports");
    assertThat(found.table().toString())
        .isEqualTo(Files.readString(files.resolve("tiers-prove.txt")));
    assertThat(found.jsonText()).isEqualTo(Files.readString(files.resolve("tiers-prove.json")));
  }
}
