package io.tsdbsuite.coverage;

import static io.tsdbsuite.coverage.CoverageText.DAY;
import static io.tsdbsuite.coverage.CoverageText.DAY0;
import static io.tsdbsuite.coverage.CoverageText.HOUR;
import static io.tsdbsuite.coverage.CoverageText.NOW;
import static io.tsdbsuite.coverage.CoverageText.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Until when raw data may be gone, and what that makes of masks. */
class CoverageFloorTest {
  private static final long AS_OF = (DAY0 + 27 * HOUR) * 1000;
  private static final String RAW = CoverageFloor.RAW;

  private static CoverageText day0() {
    return CoverageText.marked().window("1h", DAY0, DAY0 + DAY, AS_OF);
  }

  private static TimeRanges proven(CoverageText table, String metric) {
    return table.read().proven("1h", HOUR * 1000, metric);
  }

  @Test
  void theHighestFloorOfAMetricCounts() {
    Coverage coverage =
        day0()
            .floor(RAW, DAY0 + DAY, "web.*,!web.x")
            .floor(RAW, DAY0 + 2 * DAY, "web.a")
            .floor("1h", DAY0 - DAY, "*")
            .read();
    assertThat(coverage.reason()).isEmpty();
    assertThat(coverage.floorsKnown()).isTrue();
    assertThat(coverage.floors()).hasSize(3);
    for (int again = 0; again < 2; again++) {
      assertThat(coverage.floor(RAW, "web.a")).isEqualTo(DAY0 + 2 * DAY);
      assertThat(coverage.floor(RAW, "web.b")).isEqualTo(DAY0 + DAY);
      assertThat(coverage.floor(RAW, "web.x")).isZero();
      assertThat(coverage.floor("1h", "web.x")).isEqualTo(DAY0 - DAY);
      assertThat(coverage.floor("1d", "web.a")).isZero();
    }
  }

  @Test
  void aTableWithoutFloorsSaysThatItHasNone() {
    assertThat(day0().read().floorsKnown()).isTrue();
    assertThat(day0().read().floor(RAW, "m")).isZero();
    assertThat(CoverageText.empty().read().floorsKnown()).isTrue();
    assertThat(day0().read().mayHaveFloors()).isFalse();
    assertThat(CoverageText.empty().read().mayHaveFloors()).isFalse();
    Coverage upgraded = day0().put("format", "version", "2").read();
    assertThat(upgraded.reason()).isEmpty();
    assertThat(upgraded.mayHaveFloors()).isTrue();
    assertThat(upgraded.mayHaveLevels()).isFalse();
    Coverage broken = day0().put("format", "version", "2").put("zzz", "a", "b").read();
    assertThat(broken.mayHaveFloors()).isTrue();
    assertThat(Coverage.nothing("HBase does not answer").floorsKnown()).isFalse();
  }

  /** A policy keeps raw data for a day or longer. */
  @Test
  void noFloorIsAboveTheMidnightBeforeTheLastOne() {
    assertThat(CoverageFloor.highestAt(DAY0 * 1000)).isEqualTo(DAY0 - DAY);
    assertThat(CoverageFloor.highestAt(DAY0 * 1000 - 1)).isEqualTo(DAY0 - 2 * DAY);
    assertThat(CoverageFloor.highestAt((DAY0 + DAY) * 1000 - 1)).isEqualTo(DAY0 - DAY);
  }

  /** Rows of the rollup table that begin before it may be gone, whatever windows say. */
  @Test
  void noRollupBelowTheFloorOfItsIntervalIsProven() {
    CoverageText table =
        day0()
            .window("1d", DAY0, DAY0 + 2 * DAY, AS_OF + DAY * 1000)
            .window("1h", DAY0 + DAY, DAY0 + 2 * DAY, AS_OF + DAY * 1000)
            .mask(DAY0 + 26 * HOUR, "m", AS_OF + DAY * 1000 + 1)
            .floor(RAW, DAY0 + 2 * DAY, "*")
            .floor("1h", DAY0 + DAY, "m,n");
    TimeRanges all = TimeRanges.of(DAY0 * 1000, (DAY0 + 2 * DAY) * 1000);
    TimeRanges above = TimeRanges.of((DAY0 + DAY) * 1000, (DAY0 + 2 * DAY) * 1000);
    for (String metric : List.of("m", "n")) {
      for (int again = 0; again < 2; again++) {
        assertThat(proven(table, metric)).as(metric).isEqualTo(above);
        assertThat(table.read().stored("1h", HOUR * 1000, metric)).isEqualTo(above);
        assertThat(table.read().proven("1d", DAY * 1000, metric)).isEqualTo(all);
      }
    }
    assertThat(proven(table, "other")).isEqualTo(all);
    Coverage coverage = table.read();
    long below = (DAY0 + DAY) * 1000;
    assertThat(coverage.asOf("1h", HOUR * 1000, "m", below - HOUR * 1000, below))
        .isEqualTo(Coverage.NOT_PROVEN);
    assertThat(coverage.asOf("1h", HOUR * 1000, "m", below, below + HOUR * 1000))
        .isEqualTo(AS_OF + DAY * 1000);
    assertThat(coverage.provenBySelection("1h", HOUR * 1000)).isEqualTo(Map.of("*", above));
    assertThat(coverage.provenBySelection("1d", DAY * 1000)).isEqualTo(Map.of("*", all));
  }

  @Test
  void aWindowMayLieBelowTheFloorOfRawDataOrOfItsInterval() {
    CoverageText table = day0().window("1d", DAY0, DAY0 + DAY, AS_OF, "web.*");
    table.window("1h", DAY0, DAY0 + DAY, AS_OF, "sys.*");
    table.floor(RAW, DAY0, "web.a").floor("1h", DAY0 + DAY, "web.b");
    Coverage coverage = table.read();
    assertThat(coverage.windows())
        .extracting(window -> window.interval() + " " + window.metrics(), coverage::floor)
        .containsExactlyInAnyOrder(
            tuple("1h *", DAY0 + DAY), tuple("1d web.*", DAY0), tuple("1h sys.*", 0L));
  }

  /** The masks hide the only data; those of other metrics and later hours count. */
  @Test
  void aMaskBelowTheFloorIsVoid() {
    long late = AS_OF + 1;
    CoverageText table =
        day0()
            .window("1h", DAY0 + DAY, DAY0 + 2 * DAY, AS_OF + DAY * 1000)
            .mask(DAY0 + HOUR, "m", late)
            .mask(DAY0 + HOUR, "other", late)
            .put(
                CoverageRows.maskRow(DAY0 + 23 * HOUR, "*"),
                "late/*/" + (DAY0 + 26 * HOUR),
                "",
                late + DAY * 1000);
    TimeRanges all = TimeRanges.of(DAY0 * 1000, (DAY0 + 2 * DAY) * 1000);
    TimeRanges hour = TimeRanges.of((DAY0 + HOUR) * 1000, (DAY0 + 2 * HOUR) * 1000);
    TimeRanges night = TimeRanges.of((DAY0 + 23 * HOUR) * 1000, (DAY0 + 26 * HOUR) * 1000);
    assertThat(proven(table, "m")).isEqualTo(all.minus(hour).minus(night));
    table.floor(RAW, DAY0 + DAY, "m");
    assertThat(proven(table, "m"))
        .isEqualTo(all.minus(TimeRanges.of((DAY0 + DAY) * 1000, (DAY0 + 26 * HOUR) * 1000)));
    assertThat(proven(table, "other")).isEqualTo(all.minus(hour).minus(night));
    assertThat(table.read().floor(RAW, "other")).isZero();
  }

  @Test
  void whoWritesWindowsDeletesMasksBelowTheFloorAfterAWeek() {
    long late = AS_OF + 1;
    CoverageText table =
        day0().mask(DAY0 + HOUR, "m", late).mask(DAY0, "n", late).mask(DAY0, "*", late);
    Map<String, Long> widths = Map.of("1h", HOUR * 1000);
    long week = late + Coverage.MAX_PROOF_AGE;
    assertThat(table.read().voidMasks(widths, NOW)).isEmpty();
    table.floor(RAW, DAY0 + DAY, "m");
    assertThat(table.read().voidMasks(widths, week)).isEmpty();
    assertThat(table.read().voidMasks(widths, week + 1))
        .containsExactly(Map.entry(CoverageRows.maskRow(DAY0 + HOUR, "m"), late));
  }

  @ParameterizedTest
  @CsvSource({
    "before, '', must have the column before",
    "before, 170000640, before must have 10 digits",
    "before, 1700006401, before must be a midnight",
    "before, 9999936000, before must not be after asOf",
    "asOf, 1, asOf must have 13 digits",
    "metrics, '', must have the column metrics",
    "metrics, 'a,', a pattern must not be empty",
    "evidence, '', must have the column evidence",
    "until, 1, the columns must be known",
  })
  void aFloorThatBreaksARule(String column, String value, String reason) {
    CoverageText table = day0().floor(RAW, DAY0, "*");
    String row = table.last("floor/");
    assertThat(table.read().reason()).isEmpty();
    Coverage coverage = table.put(row, column, value).read();
    assertThat(coverage.reason()).contains(reason);
    assertThat(coverage.proven("1h", HOUR * 1000, "m").isEmpty()).isTrue();
    assertThat(coverage.floorsKnown()).isFalse();
  }

  @Test
  void aFloorInTheFuture() {
    CoverageText table = day0().floor(RAW, NOW / 1000, "*");
    assertThat(table.read().reason()).isEmpty();
    assertThat(table.read(NOW - 1).reason()).contains("before must not be in the future");
    assertThat(table.read(NOW - 1).floorsKnown()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"floor/raw/a b", "floor/raw/", "floor/10/a", "floor/raw", "floor/Raw/a", "floors"})
  void aRowThatIsNotKnown(String row) {
    CoverageText table = day0().floor(RAW, DAY0, "m").put(row, "before", Long.toString(DAY0));
    assertThat(table.read().reason()).isNotEmpty();
    assertThat(table.read().floorsKnown()).isEqualTo(!row.startsWith("floor/"));
  }

  /** An older release would read raw data that are gone. */
  @Test
  void theFirstVersionHasNoFloors() {
    Coverage coverage = day0().floor(RAW, DAY0, "*").put("format", "version", "1").read();
    assertThat(coverage.reason())
        .matches("row floor/raw/f\\d+ needs the version 2 of row format, found 1");
    assertThat(coverage.floorsKnown()).isFalse();
    assertThat(day0().floor(RAW, DAY0, "*").put("format", "version", "4").read().floorsKnown())
        .isFalse();
  }

  /** Otherwise one bad row of another kind would stop each query that reads raw data. */
  @Test
  void floorsAreKnownWhateverElseIsWrong() {
    for (String bad : new String[] {"aaa", "mask/x", "window/1h", "zzz"}) {
      Coverage coverage = day0().floor(RAW, DAY0, "m").put(bad, "a", "b").read();
      assertThat(coverage.reason()).contains(bad);
      assertThat(coverage.floorsKnown()).as(bad).isTrue();
      assertThat(coverage.floor(RAW, "m")).as(bad).isEqualTo(DAY0);
      CoverageText floor = day0().floor(RAW, DAY0, "m").delete("format");
      assertThat(floor.put(bad, "a", "b").read().floorsKnown()).as(bad).isFalse();
      assertThat(day0().delete("format").put(bad, "a", "b").read().floorsKnown()).isTrue();
    }
  }

  /** The first late point may come before the first load, which writes the version. */
  @Test
  void aTableOfMasksAloneHasNoFloors() {
    Coverage coverage = CoverageText.empty().mask(DAY0, "m", NOW).read();
    assertThat(coverage.reason()).contains("must have the version 1, 2 or 3, found none");
    assertThat(coverage.floorsKnown()).isTrue();
    assertThat(coverage.floors()).isEmpty();
  }

  @Test
  void afterTooManyCellsARowOfAFloorMayFollow() {
    CoverageReader reader = new CoverageReader();
    CoverageCell cell = new CoverageCell(bytes("aaa"), bytes("a"), bytes("b"), 0);
    assertThat(reader.row(Collections.nCopies(CoverageReader.MAX_CELLS + 1, cell))).isFalse();
    assertThat(reader.coverage(Map.of(), Map.of(), NOW).floorsKnown()).isFalse();
  }

  @Test
  void tooManyFloors() {
    CoverageText table = day0();
    for (int i = 0; i <= CoverageReader.MAX_FLOORS; i++) {
      table.floor(RAW, DAY0, "m" + i);
    }
    assertThat(table.read().reason()).isEqualTo("more than 1000 floors");
    assertThat(table.read().floorsKnown()).isFalse();
  }

  @Test
  void aWriterCannotWriteWhatNoReaderTakes() {
    CoverageFloor floor = new CoverageFloor(RAW, "web", DAY0, "web.*", "a proof", NOW);
    assertThat(CoverageRows.columns(floor))
        .containsExactly(
            Map.entry("before", Long.toString(DAY0)),
            Map.entry("metrics", "web.*"),
            Map.entry("evidence", "a proof"),
            Map.entry("asOf", Long.toString(NOW)));
    assertThat(floor).hasToString("floor/raw/web");
    assertThatThrownBy(
            () -> CoverageRows.columns(new CoverageFloor("1x", "web", DAY0, "*", "a proof", NOW)))
        .hasMessageContaining("the key must be floor/LEVEL/WRITER");
  }
}
