package io.tsdbsuite.rollup.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.report.TestReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares reports with files, byte by byte. */
class VerifyReportTest {
  private static void compare(String found, String name) throws IOException {
    assertThat(found).isEqualTo(Files.readString(Path.of("src/test/resources/reports", name)));
  }

  private static void add(VerifyBooks books, String interval, Verdict verdict, int times) {
    for (int i = 0; i < times; i++) {
      boolean unused = books.add(interval, verdict);
    }
  }

  private static VerifyBooks compared(int computed) {
    VerifyBooks books = new VerifyBooks();
    add(books, "1h", Verdict.EQUAL, 11);
    add(books, "1h", Verdict.MISSING, 3);
    add(books, "1h", Verdict.EXTRA, 2);
    add(books, "1h", Verdict.DIFFERENT, 1);
    add(books, "1d", Verdict.DIFFERENT, 1);
    books.sample(Verdict.MISSING, "series 1 lacks a rollup");
    books.sample(Verdict.DIFFERENT, "series 2 differs");
    books.sample(Verdict.DIFFERENT, "series 3 differs");
    for (int i = 0; i < computed; i++) {
      books.computed();
    }
    books.series();
    books.queries(21);
    return books;
  }

  private static StoredBooks stored() {
    StoredBooks books = new StoredBooks();
    books.row(31, 2, 1_763_600_000_000L);
    books.row(3, 0, 1_763_600_000_001L);
    books.malformed("a broken cell");
    books.storage(123_456_789, 42);
    return books;
  }

  private final SortedMap<String, RunProof.OddMetric> oddHistograms = new TreeMap<>();

  private VerifyReport report(
      ExitCode exit,
      String message,
      List<String> intervals,
      VerifyBooks compared,
      @Nullable StoredBooks stored) {
    return report(exit, message, intervals, List.of(), compared, stored);
  }

  private VerifyReport report(
      ExitCode exit,
      String message,
      List<String> intervals,
      List<String> histograms,
      VerifyBooks compared,
      @Nullable StoredBooks stored) {
    return new VerifyReport(
        exit,
        message,
        TestReports.STARTED,
        TestReports.STARTED.plusMillis(1500),
        Map.of("dataSnapshotTime", "2026-11-20T01:00:00Z"),
        intervals,
        histograms,
        Instant.parse("2026-11-19T00:00:00Z"),
        Instant.parse("2026-11-20T00:00:00Z"),
        new SeriesSample(0.25, 10, 7),
        compared,
        TestReports.books(1),
        oddHistograms,
        stored,
        List.of("a gap"),
        Map.of("compare", 1.25),
        List.of("a warning"));
  }

  @Test
  void againstSnapshots() throws IOException {
    VerifyReport report =
        report(ExitCode.BAD_INPUT, "rollups differ", List.of("1h", "1d"), compared(16), stored());
    compare(report.report().jsonText(), "verify-snapshots.json");
    compare(report.report().table().toString(), "verify-snapshots.txt");
  }

  /** They count as rollups of an interval of their own, which the window does not name. */
  @Test
  void histogramsHaveALevel() {
    VerifyBooks compared = compared(16);
    add(compared, "1h.histogram", Verdict.EQUAL, 4);
    add(compared, "1h.histogram", Verdict.EXTRA, 2);
    for (int i = 0; i < 4; i++) {
      compared.computed();
    }
    Report report =
        report(ExitCode.DONE, "", List.of("1h"), List.of("1h.histogram"), compared, stored())
            .report();
    assertThat(compared.close()).isTrue();
    assertThat(report.json().at("/window/interval").textValue()).isEqualTo("1h");
    assertThat(report.json().at("/compared/rollups").intValue()).isEqualTo(24);
    assertThat(report.json().at("/compared/byInterval/1h.histogram").toString())
        .isEqualTo("{\"equal\":4,\"missing\":0,\"extra\":2,\"different\":0}");
    assertThat(report.table().toString()).containsPattern("1h.histogram +equal +4");
  }

  /** They say nothing against sum, min, max and count. */
  @Test
  void oddHistogramsAreNoGap() {
    for (String metric : List.of("m.a", "m.b", "m.c", "m.d")) {
      oddHistograms.put(metric, new RunProof.OddMetric(1, 0, 3600));
    }
    Report report =
        report(ExitCode.DONE, "", List.of("1h"), List.of("1h.histogram"), compared(16), stored())
            .report();
    assertThat(report.json().at("/gaps").toString()).isEqualTo("[\"a gap\"]");
    assertThat(report.json().at("/warnings/1").textValue())
        .isEqualTo(
            "%s histograms are too wide to be stored, and %s lack the points beside their cells, of"
                    .formatted(
                        report.json().at("/raw/histogramsTooWide").asInt(),
                        report.json().at("/raw/histogramsMixed").asInt())
                + " metrics: m.a, m.b, m.c and others");
  }

  /** So {@code coverage add} takes no report that has not compared everything. */
  @Test
  void belowTheFloorIsAGap() {
    VerifyBooks compared = compared(16);
    compared.belowFloor("1h");
    Report report = report(ExitCode.DONE, "", List.of("1h", "1d"), compared, stored()).report();
    assertThat(report.json().at("/gaps"))
        .extracting(JsonNode::textValue)
        .containsExactly(
            "a gap",
            "1 rollups are below the floor of their metrics, where raw data may be gone, and were"
                + " not compared");
    assertThat(report.json().at("/compared/belowFloor").intValue()).isEqualTo(1);
    assertThat(report.table().toString()).contains("below the floor, not compared");
  }

  @Test
  void againstATsd() throws IOException {
    VerifyReport report = report(ExitCode.DONE, "", List.of("1h"), compared(0), null);
    compare(report.report().jsonText(), "verify-tsd.json");
    compare(report.report().table().toString(), "verify-tsd.txt");
  }

  @Test
  void nothingWasStored() throws IOException {
    VerifyReport report =
        report(ExitCode.DONE, "", List.of("1h"), new VerifyBooks(), new StoredBooks());
    compare(report.report().jsonText(), "verify-nothing.json");
    compare(report.report().table().toString(), "verify-nothing.txt");
  }
}
