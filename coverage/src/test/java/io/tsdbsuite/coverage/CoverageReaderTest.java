package io.tsdbsuite.coverage;

import static io.tsdbsuite.coverage.CoverageText.DAY;
import static io.tsdbsuite.coverage.CoverageText.DAY0;
import static io.tsdbsuite.coverage.CoverageText.HOUR;
import static io.tsdbsuite.coverage.CoverageText.NOW;
import static io.tsdbsuite.coverage.CoverageText.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a reader must refuse; then nothing is proven. */
class CoverageReaderTest {
  private static final long AS_OF = (DAY0 + 27 * HOUR) * 1000;
  private static final String WINDOW = CoverageRows.windowRow("1h", DAY0, "load");

  private static CoverageText good() {
    return CoverageText.marked()
        .put(WINDOW, "to", Long.toString(DAY0 + DAY))
        .put(WINDOW, "table", "rollup-1h")
        .put(WINDOW, "asOf", Long.toString(AS_OF))
        .put(WINDOW, "metrics", "*")
        .put(WINDOW, "evidence", "report.json");
  }

  private static void requireNothing(CoverageText table, String reason) {
    Coverage coverage = table.read();
    assertThat(coverage.reason()).contains(reason);
    assertThat(coverage.proven("1h", HOUR * 1000, "m").isEmpty()).isTrue();
    assertThat(coverage.windows()).isEmpty();
  }

  @Test
  void aGoodTableIsRead() {
    Coverage coverage = good().read();
    assertThat(coverage.reason()).isEmpty();
    assertThat(coverage.proven("1h", HOUR * 1000, "m"))
        .isEqualTo(TimeRanges.of(DAY0 * 1000, (DAY0 + DAY) * 1000));
  }

  @ParameterizedTest
  @CsvSource({
    "to, '', must have the column to",
    "to, 170000640, to must have 10 digits",
    "to, 1700006400, to must be after 1700006400",
    "to, 1700006399, to must be after",
    "to, 1e9, to must have 10 digits",
    "to, +170000640, to must have 10 digits",
    "to, 9999999999, the window must end at asOf or before",
    "asOf, 1700000, asOf must have 13 digits",
    "asOf, 1700006400000, the window must end at asOf or before",
    "asOf, 9999999999999, must not be in the future",
    "asOf, 92233720368547758080, asOf must have 13 digits",
    "metrics, '', must have the column metrics",
    "metrics, 'a,', a pattern must not be empty",
    "metrics, 'a,!', a pattern must not be empty",
    "table, 'a b', table must be a table's name",
    "evidence, '', must have the column evidence",
    "full, 1800006400000, full must not be after asOf",
    "full, yesterday, full must have 13 digits",
    "expires, never, expires must have 13 digits",
    "upTo, 1, 'the columns must be known, found upTo'",
  })
  void aWindowThatBreaksARule(String column, String value, String reason) {
    requireNothing(good().put(WINDOW, column, value), reason);
  }

  @ParameterizedTest
  @CsvSource({
    "window/1h/1700006400, to",
    "window/1h/170000640/load, to",
    "window/1x/1700006400/load, to",
    "window/1h/1700006400/lo ad, to",
    "window/1h/1700006400/lo/ad, to",
    "window/1h./1700006400/load, to",
    "window/.p99/1700006400/load, to",
    "window/1h.P99/1700006400/load, to",
    "window/1h.p99.9/1700006400/load, to",
    "window/1h.p_9/1700006400/load, to",
    "window/1h.p2345678901234567/1700006400/load, to",
    "windows/1h/1700006400/load, to",
    "zzz, to",
    "mask/1700006401/m, late/*",
    "mask/1700006400/, late/*",
    "mask/170000640/m, late/*",
    "mask/1700006400/m, night",
    "mask/1700006400/m, later/*",
    "mask/1700006400/m, late/00000",
    "mask/1700006400/m, late/00000a",
    "mask/1700006400/m, late/**",
    "mask/1700006400/m, late/",
    "mask/1700006400/m, 'late/*/1700006400'",
    "mask/1700006400/m, 'late/*/1700010001'",
    "mask/1700006400/m, 'late/*/170001000'",
    "mask/1700006400/m, 'late/0A/1700010000'",
    "mask/1700006400/m, ''",
    "marker/rollup-1h, ids",
    "marker/, id",
    "marker/a b, id",
  })
  void aRowThatIsNotKnown(String row, String column) {
    Coverage coverage = good().put(row, column, CoverageText.ID).read();
    assertThat(coverage.reason()).isNotEmpty();
    assertThat(coverage.proven("1h", HOUR * 1000, "m").isEmpty()).isTrue();
  }

  @Test
  void anIdThatIsNone() {
    requireNothing(good().put("marker/rollup-1h", "id", "ABC"), "id must be 32 digits in hex");
  }

  @Test
  void anotherVersionOrNone() {
    requireNothing(
        good().put("format", "version", "4"), "must have the version 1, 2 or 3, found 4");
    requireNothing(good().delete("format"), "must have the version 1, 2 or 3, found none");
    requireNothing(good().delete("format", "version").put("format", "v", "1"), "found none");
  }

  @Test
  void whatIsNotText() {
    CoverageReader reader = new CoverageReader();
    byte[] garbage = {(byte) 0xc3, 0x28};
    assertThat(reader.row(List.of(new CoverageCell(bytes("format"), bytes("version"), garbage, 0))))
        .isFalse();
    assertThat(reader.coverage(Map.of(), Map.of(), NOW).reason()).contains("must be text in UTF-8");
    CoverageReader other = new CoverageReader();
    List<CoverageCell> format = List.of(new CoverageCell(garbage, bytes("version"), garbage, 0));
    assertThat(other.row(format)).as("the version may follow").isTrue();
    assertThat(other.coverage(Map.of(), Map.of(), NOW).reason()).contains("must be text in UTF-8");
  }

  @Test
  void whatIsTooLong() {
    requireNothing(good().put(WINDOW, "evidence", "x".repeat(4097)), "at most 4096");
    requireNothing(good().put("mask/1700006400/" + "m".repeat(2000), "late/*", ""), "at most 1024");
    requireNothing(good().put(WINDOW, "metrics", "m,".repeat(100) + "m"), "too many patterns");
  }

  @Test
  void aClockThatIsFartherAheadThanMasksAllow() {
    CoverageText near = good().window("1h", DAY0 + DAY, DAY0 + 2 * DAY, NOW + Coverage.CLOCK_SKEW);
    assertThat(near.read().reason()).isEmpty();
    requireNothing(
        good().window("1h", DAY0 + DAY, DAY0 + 2 * DAY, NOW + Coverage.CLOCK_SKEW + 1),
        "must not be in the future");
  }

  @Test
  void whatIsTooMany() {
    CoverageText windows = good();
    CoverageText selections = good();
    for (int i = 0; i < CoverageReader.MAX_WINDOWS; i++) {
      windows.window("1h", DAY0 + i, DAY0 + DAY, AS_OF);
      if (i < CoverageReader.MAX_SELECTIONS) {
        selections.window("1h", DAY0, DAY0 + DAY, AS_OF, "m" + i);
      }
    }
    requireNothing(windows, "more than 10000 windows");
    requireNothing(selections, "more than 5000 selections");
    CoverageText masks = good();
    for (int i = 0; i <= CoverageReader.MAX_MASKS; i++) {
      masks.mask(DAY0, "m" + i, 0);
    }
    requireNothing(masks, "more than 100000 masks");
  }

  @Test
  void aRowOfTooManyCells() {
    List<CoverageCell> row = new ArrayList<>();
    CoverageCell cell = new CoverageCell(bytes("mask/1700006400/m"), bytes("late/*"), bytes(""), 0);
    for (int i = 0; i <= CoverageReader.MAX_CELLS; i++) {
      row.add(cell);
    }
    assertThat(new CoverageReader().row(row)).isFalse();
  }

  @Test
  void aReasonIsShortAndHasNoControlCharacters() {
    Coverage coverage = good().put("zzz\u001b[31m" + "x".repeat(900), "a", "b").read();
    assertThat(coverage.reason()).hasSizeLessThan(300).doesNotContain("\u001b");
    requireNothing(good().put(WINDOW, "to", "\n".repeat(4000)), "found ??????");
  }

  /** A byte changed, a cell lost: never more than the good table proves, never an exception. */
  @Test
  void damageProvesNeverMore() {
    Random random = Seed.random();
    TimeRanges good = good().read().proven("1h", HOUR * 1000, "m");
    String[] columns = {"to", "table", "asOf", "metrics", "evidence"};
    for (int n = 0; n < 1000; n++) {
      String column = columns[random.nextInt(columns.length)];
      CoverageText table = good();
      String value =
          switch (column) {
            case "to" -> Long.toString(DAY0 + DAY);
            case "table" -> "rollup-1h";
            case "asOf" -> Long.toString(AS_OF);
            case "metrics" -> "*";
            default -> "report.json";
          };
      StringBuilder damaged = new StringBuilder(value);
      int at = random.nextInt(value.length());
      damaged.setCharAt(at, (char) (1 + random.nextInt(200)));
      table.put(WINDOW, column, damaged.toString());
      if (column.equals("to") && damaged.toString().matches("[0-9]{10}")) {
        // Another time is another claim.
        continue;
      }
      TimeRanges proven = table.read().proven("1h", HOUR * 1000, "m");
      assertThat(proven.minus(good).isEmpty())
          .as("%s%s %s", Seed.describe(n), column, damaged)
          .isTrue();
    }
  }

  @Test
  void aWriterCannotWriteWhatNoReaderTakes() {
    CoverageWindow window =
        CoverageWindow.of("1h", DAY0, DAY0 + DAY, "load", "rollup-1h", AS_OF, "*", "a run");
    assertThat(CoverageRows.columns(window.full(AS_OF - 1).expiring(NOW)))
        .containsEntry("full", Long.toString(AS_OF - 1))
        .containsEntry("expires", Long.toString(NOW))
        .containsEntry("to", Long.toString(DAY0 + DAY));
    assertThatThrownBy(() -> CoverageRows.columns(window.full(AS_OF + 1)))
        .hasMessageContaining("full must not be after asOf");
    assertThatThrownBy(() -> CoverageRows.columns(window.refreshing(AS_OF)))
        .hasMessageContaining("a refresh has no row");
    assertThatThrownBy(
            () ->
                CoverageRows.columns(
                    CoverageWindow.of("1h", DAY0, DAY0 + DAY, "a b", "t", AS_OF, "*", "a run")))
        .hasMessageContaining("the key must be");
  }

  @Test
  void theNamesOfTables() {
    assertThat(List.of("tsdb-coverage", "ns_1:a.b", "_x")).allMatch(CoverageRows::isTableName);
    assertThat(List.of("", "a b", "a:b:c", "n-s:a", ".a", "-a", ":a", "a:"))
        .noneMatch(CoverageRows::isTableName);
  }
}
