package io.tsdbsuite.rollup.coverage;

import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY0;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.HOUR;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.days;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageCleaner.Found;
import io.tsdbsuite.rollup.coverage.CoverageVerify.Part;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.rollup.verify.VerifyBooks;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CoverageVerifyTest {
  /** The snapshots, and when the windows were written. */
  private static final long TAKEN = (DAY0 + 25 * DAY) * 1000;

  private final List<Found> rows = new ArrayList<>();
  private final VerifyBooks compared = new VerifyBooks();
  private final Books raw = new Books();
  private final List<Part> parts = new ArrayList<>();
  private final StoredCoverage stored = new StoredCoverage();
  private ExitCode reported = ExitCode.DONE;
  private String message = "the message";
  private List<String> gaps = List.of();
  private final SortedMap<String, RunProof.OddMetric> odd = new TreeMap<>();
  private long wrongFrom = DAY0;
  private final Map<String, String> facts =
      new HashMap<>(
          Map.of(
              "dataSnapshotTime",
              Instant.ofEpochMilli(TAKEN).toString(),
              "rollupSnapshotTime 1h",
              Instant.ofEpochMilli(TAKEN).toString()));
  private CoverageVerify verify = verify("", HOUR);

  private static CoverageVerify verify(String metrics, long unit) {
    return new CoverageVerify(
        Map.of("1h", "default:r-1h"),
        new CoverageBounds(Set.of("1h"), DAY0, DAY0 + 10 * DAY, List.of(), Set.of()),
        metrics,
        unit);
  }

  private void row(CoverageWindow window) {
    rows.add(new Found(window, TAKEN - 1));
  }

  private VerifyReport report(Part part) {
    parts.add(part);
    return new VerifyReport(
        reported,
        message,
        Instant.EPOCH,
        Instant.EPOCH,
        facts,
        List.of("1h"),
        List.of(),
        Instant.EPOCH,
        Instant.EPOCH,
        new SeriesSample(1, 1, 0),
        part.from() == wrongFrom ? compared : new VerifyBooks(),
        raw,
        odd,
        books,
        gaps,
        Map.of(),
        List.of());
  }

  private final StoredBooks books = new StoredBooks();

  /** The writers of the windows to remove. */
  private List<String> wrong() {
    verify.compare(rows, stored.read(), this::report);
    return removed();
  }

  private List<String> removed() {
    return rows.stream()
        .filter(row -> !verify.wrongTimes(row).isEmpty())
        .map(row -> row.row().writer())
        .toList();
  }

  @Test
  void windowsInTheBoundsAreComparedOnce() {
    row(days("1h", 0, 1, "a"));
    row(days("1h", 0, 1, "again"));
    row(days("1h", 1, 2, "b", "sys.*"));
    row(days("1h", 9, 11, "longer"));
    row(days("1d", 0, 1, "other-interval"));
    row(CoverageWindow.of("1h", DAY0, DAY0 + DAY, "other-table", "old", TAKEN, "*", "e"));
    assertThat(wrong()).isEmpty();
    assertThat(parts)
        .containsExactly(
            new Part(DAY0, DAY0 + DAY, "*"),
            new Part(DAY0 + DAY, DAY0 + 2 * DAY, "sys.*"),
            new Part(DAY0 + 9 * DAY, DAY0 + 10 * DAY, "*"));
    assertThat(verify.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(verify.lines()).hasSize(4).allMatch(line -> line.startsWith("proven 1h, "));
  }

  @Test
  void onlyOneSelection() {
    verify = verify("sys.*", HOUR);
    row(days("1h", 0, 1, "a"));
    row(days("1h", 1, 2, "b", "sys.*"));
    assertThat(wrong()).isEmpty();
    assertThat(parts).extracting(Part::metrics).containsExactly("sys.*");
  }

  /** A window that claims a wrong rollup goes, unless it was proven again itself. */
  @Test
  void aWrongWindowGoesWithAllThatClaimItsTimes() {
    row(days("1h", 0, 2, "wrong"));
    row(days("1h", 1, 3, "proven"));
    row(
        CoverageWindow.of(
            "1h", DAY0 + DAY + 1, DAY0 + 20 * DAY, "not-compared", "r-1h", TAKEN - 1, "*", "e"));
    row(days("1h", 2, 4, "elsewhere"));
    row(days("1d", 0, 2, "of-days"));
    row(days("1h.p99", 0, 2, "of-p99"));
    row(days("1d.p99", 0, 2, "of-p99-of-days"));
    compared.add("1h", Verdict.EXTRA);
    compared.sample(Verdict.EXTRA, "the sample");
    verify.compare(
        rows,
        stored.read(),
        part -> {
          reported = part.from() == DAY0 ? ExitCode.BAD_INPUT : ExitCode.DONE;
          return report(part);
        });
    assertThat(removed()).containsExactly("wrong", "not-compared", "of-p99");
    CoverageWindow raised = days("1h", 0, 1, "raised").raised(TAKEN + 1, "e");
    assertThat(verify.wrongTimes(new Found(raised, TAKEN + 1)).isEmpty()).isFalse();
    Found newer = new Found(raised.full(TAKEN + 1), TAKEN + 1);
    assertThat(verify.wrongTimes(newer).isEmpty()).as("rolled up again meanwhile").isTrue();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines())
        .anyMatch(line -> line.endsWith("writer wrong: 0 missing, 1 extra, 0 different"))
        .contains("the sample");
  }

  /** A window of 1h says nothing of p99, which suite may select since today. */
  @Test
  void furtherAggregatorsAloneRemoveOnlyWindowsOfTheirLevels() {
    row(days("1h", 0, 1, "a"));
    row(days("1h", 0, 1, "again"));
    compared.add("1h", Verdict.EQUAL);
    compared.add("1h", Verdict.DIFFERENT);
    compared.further("1h", List.of("1h.p99"));
    compared.sample(Verdict.DIFFERENT, "the sample");
    reported = ExitCode.BAD_INPUT;
    message = compared.differences();
    String alone = "; further aggregators alone differ: 1 rollups";
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines())
        .containsExactly(
            "proven " + CoverageText.of(rows.get(0).row()) + alone,
            "proven " + CoverageText.of(rows.get(1).row()) + alone);
    assertThat(verify.exitCode()).isEqualTo(ExitCode.DONE);

    row(days("1h.p99", 0, 2, "of-p99"));
    row(days("1h.p99", 1, 2, "elsewhere"));
    row(days("1h.first", 0, 1, "of-first"));
    row(days("1d.p99", 0, 1, "of-days"));
    verify = verify("", HOUR);
    assertThat(wrong()).containsExactly("of-p99");
    assertThat(verify.wrongTimes(rows.get(2)))
        .isEqualTo(TimeRanges.of(DAY0 * 1000, (DAY0 + DAY) * 1000));
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.message()).startsWith("1 windows were wrong");
    assertThat(verify.lines())
        .hasSize(4)
        .contains("the sample", "proven " + CoverageText.of(rows.get(0).row()) + alone)
        .anyMatch(line -> line.startsWith("wrong 1h.p99, ") && line.endsWith(": 1 different"));

    message += "; 2 rows, cells or blocks of rollup tables cannot be compared";
    verify = verify("", HOUR);
    assertThat(wrong()).as("p99 differs nevertheless").containsExactly("of-p99");
    assertThat(verify.lines())
        .contains("not compared " + CoverageText.of(rows.get(0).row()) + ": " + message);

    compared.add("1h", Verdict.DIFFERENT);
    message = compared.differences();
    verify = verify("", HOUR);
    assertThat(wrong()).containsExactly("a", "again", "of-p99", "of-first");
  }

  private static CoverageWindow histograms(int from, int to, String writer, String metrics) {
    return other("h-1h", days("1h.histogram", from, to, writer, metrics));
  }

  /** A window of another table than that of the interval. */
  private static CoverageWindow other(String table, CoverageWindow window) {
    return CoverageWindow.of(
        window.interval(),
        window.from(),
        window.to(),
        window.writer(),
        table,
        window.asOf(),
        window.metrics(),
        "e");
  }

  /** Copies of wrong rows are wrong; those of rows whose p99 is wrong say nothing of that. */
  @Test
  void wrongRollupsRemoveWindowsOfPackedRows() {
    row(days("1h", 0, 1, "a"));
    row(days("1h.p99", 0, 1, "of-p99"));
    row(other("p-1h", days("1h.packed", 0, 2, "packed", "*")));
    row(other("p-1d", days("1d.packed", 0, 2, "days", "*")));
    compared.add("1h", Verdict.DIFFERENT);
    compared.further("1h", List.of("1h.p99"));
    reported = ExitCode.BAD_INPUT;
    message = compared.differences();
    assertThat(wrong()).containsExactly("of-p99");
    compared.add("1h", Verdict.DIFFERENT);
    message = compared.differences();
    verify = verify("", HOUR);
    assertThat(wrong()).containsExactly("a", "of-p99", "packed");
    assertThat(verify.wrongTimes(rows.get(2)))
        .isEqualTo(TimeRanges.of(DAY0 * 1000, (DAY0 + DAY) * 1000));
  }

  /** They are in another table than the rollups, of which their window says nothing. */
  @Test
  void wrongHistogramsRemoveOnlyWindowsOfHistograms() {
    row(days("1h", 0, 1, "a"));
    row(days("1h.p99", 0, 1, "of-p99"));
    row(histograms(0, 2, "of-histograms", "*"));
    row(histograms(1, 2, "elsewhere", "*"));
    compared.add("1h", Verdict.EQUAL);
    compared.add("1h.histogram", Verdict.MISSING);
    compared.further("1h.histogram", List.of());
    compared.sample(Verdict.MISSING, "the sample");
    reported = ExitCode.BAD_INPUT;
    message = compared.differences();
    assertThat(wrong()).containsExactly("of-histograms");
    assertThat(verify.wrongTimes(rows.get(2)))
        .isEqualTo(TimeRanges.of(DAY0 * 1000, (DAY0 + DAY) * 1000));
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines())
        .contains(
            "the sample",
            "proven " + CoverageText.of(rows.get(0).row()) + "; histograms are wrong: 1")
        .anyMatch(
            line ->
                line.startsWith("wrong 1h.histogram, ")
                    && line.endsWith(": 1 missing, extra or different"));
    compared.add("1h", Verdict.EXTRA);
    message = compared.differences();
    verify = verify("", HOUR);
    assertThat(wrong())
        .as("beside wrong rollups all goes")
        .containsExactly("a", "of-p99", "of-histograms");
  }

  private static CoverageWindow packed(int from, int to, String writer) {
    CoverageWindow window = days("1h.packed", from, to, writer);
    return CoverageWindow.of(
        window.interval(),
        window.from(),
        window.to(),
        writer,
        "packed-1h",
        window.asOf(),
        window.metrics(),
        "e");
  }

  @Test
  void wrongPackedRollupsRemoveOnlyWindowsOfPackedRows() {
    row(days("1h", 0, 1, "a"));
    row(days("1h.p99", 0, 1, "of-p99"));
    row(packed(0, 2, "of-packed"));
    row(packed(1, 2, "elsewhere"));
    compared.add("1h", Verdict.EQUAL);
    compared.add("1h.packed", Verdict.EXTRA);
    compared.further("1h.packed", List.of());
    compared.sample(Verdict.EXTRA, "the sample");
    reported = ExitCode.BAD_INPUT;
    message = compared.differences();
    assertThat(wrong()).containsExactly("of-packed");
    assertThat(verify.wrongTimes(rows.get(2)))
        .isEqualTo(TimeRanges.of(DAY0 * 1000, (DAY0 + DAY) * 1000));
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines())
        .contains(
            "the sample",
            "proven " + CoverageText.of(rows.get(0).row()) + "; packed rollups are wrong: 1")
        .anyMatch(
            line ->
                line.startsWith("wrong 1h.packed, ")
                    && line.endsWith(": 1 missing, extra or different"));

    rows.set(2, new Found(packed(0, 2, "of-packed"), TAKEN + 1));
    facts.put("rollupSnapshotTime 1h.packed", Instant.ofEpochMilli(TAKEN).toString());
    verify = verify("", HOUR);
    assertThat(wrong()).as("stored after the snapshot").isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(verify.lines())
        .anyMatch(line -> line.startsWith("not compared 1h.packed, "))
        .anyMatch(line -> line.startsWith("proven 1h, "));

    row(packed(0, 1, "again"));
    compared.add("1h", Verdict.EXTRA);
    message = compared.differences();
    verify = verify("", HOUR);
    assertThat(wrong())
        .as("beside wrong rollups all goes")
        .containsExactly("a", "of-p99", "of-packed", "again");
  }

  /** Queries read the row's plain cells then. */
  @Test
  void packedCellsThatCannotBeReadCostOnlyWindowsOfPackedRows() {
    row(days("1h", 0, 1, "a"));
    row(packed(0, 2, "of-packed"));
    row(packed(1, 2, "elsewhere"));
    compared.add("1h", Verdict.EQUAL);
    books.malformedPart("a part");
    reported = ExitCode.BAD_INPUT;
    message = books.malformedText();
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines())
        .containsExactly(
            "not compared "
                + CoverageText.of(rows.get(1).row())
                + ": 1 packed cells cannot be read",
            "proven " + CoverageText.of(rows.get(0).row()) + "; packed cells cannot be read: 1");

    message = "2 days failed; " + books.malformedText();
    verify = verify("", HOUR);
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines()).anyMatch(line -> line.startsWith("not compared 1h, "));
  }

  /** Equal histograms lack the same, and the four values are compared as ever. */
  @Test
  void oddHistogramsCostOnlyTheWindowsThatClaimThem() {
    row(days("1h", 0, 1, "a"));
    row(days("1h", 0, 1, "again"));
    row(histograms(0, 2, "left-out", "*,!m.odd"));
    row(histograms(1, 2, "elsewhere", "*"));
    raw.oddHistograms(0, 2);
    odd.put("m.odd", new RunProof.OddMetric(7, DAY0, DAY0 + HOUR));
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(verify.lines()).hasSize(2).allMatch(line -> line.startsWith("proven 1h, "));

    row(histograms(0, 2, "of-histograms", "m.*"));
    verify = verify("", HOUR);
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines())
        .hasSize(3)
        .contains(
            "not compared "
                + CoverageText.of(rows.get(4).row())
                + ": 0 histograms are too wide to be stored, and 2 lack the points beside their"
                + " cells, of metrics: m.odd")
        .contains("proven " + CoverageText.of(rows.get(0).row()));
    for (int i = 0; i < Books.ODD_METRICS; i++) {
      odd.put("other." + i, new RunProof.OddMetric(8 + i, 0, 1));
    }
    verify = verify("", HOUR);
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines())
        .as("too many to be named")
        .filteredOn(line -> line.startsWith("not compared 1h.histogram, "))
        .hasSize(2);
  }

  /** Both have the begin of the window of p99 and its writer. */
  @Test
  void aLevelGoesAtTheTimesOfAllPartsWhereItDiffers() {
    row(days("1h", 0, 1, "a"));
    row(days("1h", 0, 2, "longer"));
    row(days("1h.p99", 0, 3, "of-p99"));
    compared.add("1h", Verdict.DIFFERENT);
    compared.further("1h", List.of("1h.p99"));
    reported = ExitCode.BAD_INPUT;
    message = compared.differences();
    assertThat(wrong()).containsExactly("of-p99");
    assertThat(verify.wrongTimes(rows.get(2)))
        .isEqualTo(TimeRanges.of(DAY0 * 1000, (DAY0 + 2 * DAY) * 1000));
  }

  /** Its values may have come after the snapshot of the rollups. */
  @Test
  void aLevelThatIsNewerThanTheSnapshotsIsNotCompared() {
    row(days("1h", 0, 1, "a"));
    rows.add(new Found(days("1h.p99", 0, 1, "of-p99"), TAKEN + 1));
    compared.add("1h", Verdict.DIFFERENT);
    compared.further("1h", List.of("1h.p99"));
    reported = ExitCode.BAD_INPUT;
    message = compared.differences();
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(verify.lines().get(0))
        .startsWith("not compared 1h.p99, ")
        .contains("after the snapshot of its rollup table");
  }

  /** Others may merge windows while they are compared. */
  @Test
  void aWrongWindowThatBecameAPartOfAProvenOneGoes() {
    row(days("1h", 0, 1, "proven"));
    row(days("1h", 1, 2, "wrong"));
    wrongFrom = DAY0 + DAY;
    compared.add("1h", Verdict.EXTRA);
    verify.compare(
        rows,
        stored.read(),
        part -> {
          reported = part.from() == wrongFrom ? ExitCode.BAD_INPUT : ExitCode.DONE;
          return report(part);
        });
    Found merged = new Found(days("1h", 0, 3, "proven").full(TAKEN - 1), TAKEN + 1);
    assertThat(verify.wrongTimes(merged))
        .isEqualTo(TimeRanges.of((DAY0 + DAY) * 1000, (DAY0 + 2 * DAY) * 1000));
  }

  /** Rollups of failed rows count as extra although they may be right. */
  @Test
  void failedRowsAreNoDifference() {
    row(days("1h", 0, 1, "a"));
    compared.add("1h", Verdict.EXTRA);
    raw.rowFailed(FailReason.CORRUPT_CELL, 1, "");
    reported = ExitCode.BAD_INPUT;
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines())
        .containsExactly("not compared " + CoverageText.of(rows.get(0).row()) + ": the message");
  }

  @Test
  void whatFailsProvesNothing() {
    row(days("1h", 0, 1, "a"));
    compared.add("1h", Verdict.MISSING);
    reported = ExitCode.OUTSIDE;
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.OUTSIDE);
  }

  @Test
  void gapsProveNothing() {
    row(days("1h", 0, 1, "a"));
    gaps = List.of("3 points are NaN");
    assertThat(wrong()).isEmpty();
    assertThat(verify.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(verify.lines().get(0)).startsWith("not compared").endsWith("3 points are NaN");
  }

  /** Such snapshots differ although the window is right. */
  @Test
  void snapshotsOfBeforeTheWindow() {
    compared.add("1h", Verdict.DIFFERENT);
    reported = ExitCode.BAD_INPUT;
    row(days("1h", 0, 1, "a"));
    rows.add(new Found(days("1h", 0, 1, "again"), TAKEN + 1));
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines().get(0)).contains("after the snapshot of its rollup table");
    assertThat(verify.exitCode()).isEqualTo(ExitCode.USAGE);

    rows.clear();
    row(days("1h", 0, 1, "a"));
    row(days("1h", 0, 1, "r").raised(TAKEN + 1, "e"));
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines()).last().asString().contains("points of after the data snapshot");
  }

  /** Its rollups are to be repaired, so that they differ although the window is right. */
  @Test
  void masksAreOpen() {
    row(days("1h", 0, 1, "a"));
    row(days("1h", 1, 2, "b"));
    stored.mask(DAY0, "sys.cpu", StoredCoverage.LATE, TAKEN);
    assertThat(wrong()).isEmpty();
    assertThat(parts).extracting(Part::from).containsExactly(DAY0 + DAY);
    assertThat(verify.lines().get(0)).startsWith("not compared").contains("masks");
    assertThat(verify.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  /** Raw data of the metric may be gone: it says nothing about others. */
  @Test
  void masksBelowTheFloorAreVoid() {
    row(days("1h", 0, 1, "a"));
    row(days("1h", 1, 2, "b"));
    stored
        .floor("raw", "sys", DAY0 + DAY, "sys.*")
        .mask(DAY0, "sys.cpu", StoredCoverage.LATE, TAKEN)
        .mask(DAY0 + DAY, "sys.cpu", StoredCoverage.LATE, TAKEN);
    assertThat(wrong()).isEmpty();
    assertThat(parts).extracting(Part::from).containsExactly(DAY0);
  }

  @Test
  void rollupsBelowTheFloorAreToldAndNoDifference() {
    row(days("1h", 0, 1, "a"));
    compared.belowFloor("1h");
    compared.belowFloor("1d");
    String window =
        CoverageText.of(rows.get(0).row()) + "; below the floor: 1 rollups not compared";
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines()).containsExactly("not compared " + window);
    compared.add("1h", Verdict.EQUAL);
    assertThat(wrong()).isEmpty();
    assertThat(verify.lines()).last().isEqualTo("proven " + window);
    assertThat(verify.exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void aMaskVoidsWhatWasReadBeforeIt() {
    CoverageWindow window = days("1h", 0, 1, "a");
    long asOf = window.asOf();
    assertThat(mayVoid(DAY0, asOf, window)).isTrue();
    assertThat(mayVoid(DAY0, asOf - 60_000, window)).isTrue();
    assertThat(mayVoid(DAY0, asOf - 60_001, window)).isFalse();
    assertThat(mayVoid(DAY0 + DAY - HOUR, asOf, window)).isTrue();
    assertThat(mayVoid(DAY0 + DAY, asOf, window)).isFalse();
    assertThat(mayVoid(DAY0 - HOUR, asOf, window)).isFalse();
    assertThat(mayVoid(DAY0, asOf, days("1h", 0, 1, "a", "net.*"))).isFalse();
    assertThat(mayVoid(DAY0, asOf, days("1d", 0, 1, "a", "sys.*"))).isTrue();
  }

  private static boolean mayVoid(long hour, long time, CoverageWindow window) {
    return CoverageVerify.mayVoid(
        new StoredCoverage().mask(hour, "sys.cpu", StoredCoverage.LATE, time).masks().get(0),
        window);
  }

  @Test
  void daysNeedWholeDays() {
    verify = verify("", DAY);
    row(CoverageWindow.of("1h", DAY0, DAY0 + HOUR, "a", "r-1h", TAKEN - 1, "*", "e"));
    assertThat(wrong()).isEmpty();
    assertThat(parts).isEmpty();
    assertThat(verify.lines().get(0)).endsWith("it must begin and end at multiples of 86400 s");
    assertThat(verify.exitCode()).isEqualTo(ExitCode.USAGE);
  }
}
