package io.tsdbsuite.coverage;

import static io.tsdbsuite.coverage.CoverageText.DAY;
import static io.tsdbsuite.coverage.CoverageText.DAY0;
import static io.tsdbsuite.coverage.CoverageText.HOUR;
import static io.tsdbsuite.coverage.CoverageText.ID;
import static io.tsdbsuite.coverage.CoverageText.NOW;
import static io.tsdbsuite.coverage.CoverageText.OTHER_ID;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each way in which a coverage could claim too much, and what it says instead. */
class CoverageTest {
  private static final long H = HOUR * 1000;
  private static final long D = DAY * 1000;

  /** When the raw data of day 0 were read: three hours after its end. */
  private static final long AS_OF = (DAY0 + 27 * HOUR) * 1000;

  private static TimeRanges hours(Coverage coverage) {
    return coverage.proven("1h", H, "m");
  }

  private static TimeRanges days(Coverage coverage) {
    return coverage.proven("1d", D, "m");
  }

  private static TimeRanges seconds(long from, long to) {
    return TimeRanges.of(from * 1000, to * 1000);
  }

  private static CoverageText day0() {
    return CoverageText.marked()
        .window("1h", DAY0, DAY0 + DAY, AS_OF)
        .window("1d", DAY0, DAY0 + DAY, AS_OF);
  }

  @Test
  void aWindowIsProven() {
    Coverage coverage = day0().read();
    assertThat(coverage.reason()).isEmpty();
    assertThat(coverage.voidTables()).containsOnlyKeys("rollup-10m");
    assertThat(hours(coverage)).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(days(coverage)).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(coverage.proven("10m", H / 6, "m").isEmpty()).isTrue();
    assertThat(coverage.proven("2h", 2 * H, "m").isEmpty()).isTrue();
    assertThat(coverage.asOf("1h", H, "m", DAY0 * 1000, DAY0 * 1000 + H)).isEqualTo(AS_OF);
    assertThat(coverage.asOf("1h", H, "m", DAY0 * 1000 - H, DAY0 * 1000 + H))
        .isEqualTo(Coverage.NOT_PROVEN);
    assertThat(coverage.windows()).hasSize(2);
  }

  @Test
  void aMaskedTimeIsStoredAndNotProven() {
    Coverage coverage = day0().mask(DAY0 + HOUR, "m", AS_OF + 3_600_000).read();
    assertThat(hours(coverage).contains((DAY0 + HOUR) * 1000, (DAY0 + 2 * HOUR) * 1000)).isFalse();
    assertThat(coverage.stored("1h", H, "m")).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(coverage.stored("2h", 2 * H, "m").isEmpty()).isTrue();
    assertThat(hours(coverage)).as("evaluated once").isSameAs(hours(coverage));
  }

  @Test
  void aTruncatedTableProvesNothing() {
    Coverage coverage = day0().id("rollup-1h", null).read();
    assertThat(hours(coverage).isEmpty()).isTrue();
    assertThat(coverage.voidTables().get("rollup-1h")).contains("was truncated or made again");
    assertThat(days(coverage).isEmpty()).as("the other table is as it was").isFalse();
  }

  @Test
  void aTableThatWasMadeAgainOrRestoredProvesNothing() {
    Coverage coverage = day0().id("rollup-1h", OTHER_ID).read();
    assertThat(hours(coverage).isEmpty()).isTrue();
    assertThat(coverage.voidTables().get("rollup-1h")).contains("restored from a snapshot");
  }

  @Test
  void aWriterThatChangesTheIdVoidsNothing() {
    CoverageText table = day0().put("marker/rollup-1h", "next", OTHER_ID);
    assertThat(hours(table.read()).isEmpty()).isFalse();
    assertThat(hours(table.id("rollup-1h", OTHER_ID).read()).isEmpty()).isFalse();
    assertThat(hours(table.id("rollup-1h", ID.replace('0', '1')).read()).isEmpty()).isTrue();
  }

  @Test
  void aTableWithoutAMarkerInTheCoverageProvesNothing() {
    assertThat(hours(day0().delete("marker/rollup-1h").read()).isEmpty()).isTrue();
    assertThat(hours(day0().delete("marker/rollup-1h", "id").read()).isEmpty()).isTrue();
  }

  @Test
  void aWindowOfAnotherTableOfTheIntervalProvesNothing() {
    CoverageText table = day0();
    table.put(table.key("1h", DAY0), "table", "rollup-1d");
    assertThat(hours(table.read()).isEmpty()).isTrue();
    table.put(table.key("1h", DAY0), "table", "default:rollup-1h");
    assertThat(hours(table.read()).isEmpty()).as("the same table").isFalse();
  }

  @Test
  void metricsThatAreNotSelectedAreNotProven() {
    CoverageText table =
        CoverageText.marked()
            .window("1h", DAY0, DAY0 + 4 * HOUR, AS_OF, "web.*,!web.debug.*")
            .window("1h", DAY0 + 4 * HOUR, DAY0 + 6 * HOUR, AS_OF, "*");
    Coverage coverage = table.read();
    assertThat(coverage.proven("1h", H, "web.hits")).isEqualTo(seconds(DAY0, DAY0 + 6 * HOUR));
    assertThat(coverage.proven("1h", H, "web.debug.hits"))
        .isEqualTo(seconds(DAY0 + 4 * HOUR, DAY0 + 6 * HOUR));
    assertThat(coverage.proven("1h", H, "db.rows"))
        .isEqualTo(seconds(DAY0 + 4 * HOUR, DAY0 + 6 * HOUR));
  }

  @Test
  void halfABucketIsNotProven() {
    CoverageText table =
        CoverageText.marked()
            .window("1d", DAY0, DAY0 + 36 * HOUR, (DAY0 + 40 * HOUR) * 1000)
            .window("1h", DAY0 + 1800, DAY0 + 9000, AS_OF);
    assertThat(days(table.read())).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(hours(table.read())).isEqualTo(seconds(DAY0 + HOUR, DAY0 + 2 * HOUR));
  }

  /** Neither of two runs that each read half of a day has made the day's rollup. */
  @Test
  void twoHalvesOfABucketDoNotProveIt() {
    CoverageText table =
        CoverageText.marked()
            .window("1d", DAY0, DAY0 + 12 * HOUR, AS_OF)
            .window("1d", DAY0 + 12 * HOUR, DAY0 + DAY, AS_OF);
    assertThat(days(table.read()).isEmpty()).isTrue();
  }

  @Test
  void aMaskVoidsTheBucketsOfItsHour() {
    Coverage coverage = day0().mask(DAY0 + 5 * HOUR, "m", AS_OF + 1).read();
    assertThat(hours(coverage))
        .isEqualTo(seconds(DAY0, DAY0 + 5 * HOUR).plus(seconds(DAY0 + 6 * HOUR, DAY0 + DAY)));
    assertThat(days(coverage).isEmpty()).isTrue();
    assertThat(coverage.proven("1h", H, "other")).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(coverage.asOf("1h", H, "m", DAY0 * 1000, DAY0 * 1000 + D))
        .isEqualTo(Coverage.NOT_PROVEN);
    assertThat(coverage.masks()).hasSize(1);
  }

  @Test
  void aMaskCountsUntilAReadingIsNewerThanTheSkewOfTheClocks() {
    long hour = DAY0 + 5 * HOUR;
    TimeRanges whole = seconds(DAY0, DAY0 + DAY);
    assertThat(hours(day0().mask(hour, "m", AS_OF - 60_001).read())).isEqualTo(whole);
    assertThat(hours(day0().mask(hour, "m", AS_OF - 60_000).read())).isNotEqualTo(whole);
    assertThat(hours(day0().mask(hour, "m", AS_OF + 60_000).read())).isNotEqualTo(whole);
  }

  @Test
  void theNewestCellIsTheTimeOfAMask() {
    CoverageText table = day0().mask(DAY0, "m", AS_OF - 100_000);
    assertThat(hours(table.read())).isEqualTo(seconds(DAY0, DAY0 + DAY));
    table.put(CoverageRows.maskRow(DAY0, "m"), "late/*", "", AS_OF);
    assertThat(hours(table.read())).isEqualTo(seconds(DAY0 + HOUR, DAY0 + DAY));
    assertThat(table.read().masks()).extracting(CoverageMask::series).containsExactly(1, 0);
    table.put(CoverageRows.maskRow(DAY0, "m"), "late/0B", "", AS_OF + 1);
    assertThat(table.read().masks()).extracting(CoverageMask::series).containsExactly(2, 0);
    assertThat(table.read().masks())
        .extracting(CoverageMask::time)
        .containsExactly(AS_OF + 1, AS_OF);
  }

  @Test
  void aMaskMayHaveSeveralHoursOrAllMetrics() {
    CoverageText table =
        day0()
            .put(CoverageRows.maskRow(DAY0, "m"), "late/*/" + (DAY0 + 3 * HOUR), "", AS_OF)
            .put(CoverageRows.maskRow(DAY0 + 6 * HOUR, "*"), "late/*", "", AS_OF);
    assertThat(hours(table.read()))
        .isEqualTo(
            seconds(DAY0 + 3 * HOUR, DAY0 + 6 * HOUR).plus(seconds(DAY0 + 7 * HOUR, DAY0 + DAY)));
    assertThat(table.read().proven("1h", H, "other"))
        .isEqualTo(seconds(DAY0, DAY0 + 6 * HOUR).plus(seconds(DAY0 + 7 * HOUR, DAY0 + DAY)));
  }

  /** A refresh rolls up changed rows alone: it does not write what a message has lost. */
  @Test
  void whatIsLostIsShownByAWindowAndNotByARefresh() {
    CoverageText late = day0().mask(DAY0, "m", AS_OF);
    CoverageText lost = day0().put(CoverageRows.maskRow(DAY0, "m"), "lost/0A", "", AS_OF);
    for (CoverageText table : List.of(late, lost)) {
      assertThat(hours(table.read()).from(0)).isEqualTo((DAY0 + HOUR) * 1000);
      table.raised("1h", DAY0, DAY0 + DAY, AS_OF, AS_OF + 100_000);
    }
    assertThat(hours(late.read())).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(hours(lost.read())).isEqualTo(seconds(DAY0 + HOUR, DAY0 + DAY));
    lost.window("1h", DAY0, DAY0 + DAY, AS_OF + 100_000);
    assertThat(hours(lost.read())).isEqualTo(seconds(DAY0, DAY0 + DAY));
  }

  /** Points that come within a minute after their hour have no mask. */
  @Test
  void whatWasReadSoonAfterItsHourIsNotProven() {
    long end = DAY0 + 4 * HOUR;
    for (long after : new long[] {0, 299_999}) {
      CoverageText table = CoverageText.marked().window("1h", DAY0, end, end * 1000 + after);
      assertThat(hours(table.read())).isEqualTo(seconds(DAY0, end - HOUR));
      table.raised("1h", DAY0, end, end * 1000, end * 1000 + 300_000);
      assertThat(hours(table.read())).isEqualTo(seconds(DAY0, end));
    }
    CoverageText table = CoverageText.marked().window("1h", DAY0, end, end * 1000 + 300_000);
    assertThat(hours(table.read())).isEqualTo(seconds(DAY0, end));
  }

  /** A point of 10:05 that is stored at 10:40 is not late, and not in a reading of 10:30. */
  @Test
  void aBucketWithinTheHourIsProvenOnlyByAReadingAfterTheHour() {
    long early = (DAY0 + 2700) * 1000;
    CoverageText table =
        CoverageText.marked()
            .put("marker/rollup-10m", "id", ID)
            .id("rollup-10m", ID)
            .window("10m", DAY0, DAY0 + 1200, early);
    assertThat(table.read().proven("10m", H / 6, "m").isEmpty()).isTrue();
    table.window("10m", DAY0, DAY0 + 1200, (DAY0 + HOUR) * 1000 + 300_000);
    assertThat(table.read().proven("10m", H / 6, "m")).isEqualTo(seconds(DAY0, DAY0 + 1200));
  }

  @Test
  void aMetricWithSlashesHasMasks() {
    Coverage coverage =
        day0().window("1h", DAY0, DAY0 + DAY, AS_OF).mask(DAY0, "disk/sda/io", NOW).read();
    assertThat(coverage.proven("1h", H, "disk/sda/io")).isEqualTo(seconds(DAY0 + HOUR, DAY0 + DAY));
    assertThat(hours(coverage)).isEqualTo(seconds(DAY0, DAY0 + DAY));
  }

  @Test
  void theNewestReadingOfAWindowCounts() {
    CoverageText table =
        CoverageText.marked()
            .window("1h", DAY0, DAY0 + DAY, AS_OF + 500_000)
            .window("1h", DAY0, DAY0 + DAY, AS_OF)
            .mask(DAY0 + HOUR, "m", AS_OF + 10);
    assertThat(hours(table.read())).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(table.read().asOf("1h", H, "m", DAY0 * 1000, DAY0 * 1000 + H))
        .isEqualTo(AS_OF + 500_000);
  }

  @Test
  void aNewerReadingOfOtherHoursOrMetricsDoesNotCountForAMask() {
    CoverageText table =
        day0()
            .window("1h", DAY0 + 2 * HOUR, DAY0 + 3 * HOUR, AS_OF + 500_000)
            .window("1h", DAY0, DAY0 + DAY, AS_OF + 500_000, "other")
            .mask(DAY0 + HOUR, "m", AS_OF + 10)
            .mask(DAY0 + 2 * HOUR, "m", AS_OF + 10);
    assertThat(hours(table.read()))
        .isEqualTo(seconds(DAY0, DAY0 + HOUR).plus(seconds(DAY0 + 2 * HOUR, DAY0 + DAY)));
    assertThat(days(table.read()).isEmpty()).as("of days there is no newer reading").isTrue();
  }

  private static List<CoverageMask> found(
      CoverageText table, String metrics, long asOf, long looked) {
    List<CoverageWindow> found = new ArrayList<>();
    for (String interval : List.of("1h", "1d")) {
      found.add(
          CoverageWindow.of(
              interval, DAY0, DAY0 + DAY, "new", "rollup-" + interval, asOf, metrics, "a look"));
    }
    return table.read().found(found, Map.of("1h", H, "1d", D), looked);
  }

  @Test
  void whatIsLostIsFoundByALookAtAllRollupsOfItsHours() {
    long lost = AS_OF + H;
    long looked = lost + 60_001;
    CoverageText table =
        day0().mask(DAY0, "m", lost).put(CoverageRows.maskRow(DAY0, "m"), "lost/0A", "", lost);
    assertThat(found(table, "*", AS_OF, looked))
        .extracting(CoverageMask::kind)
        .containsExactly(CoverageMask.Kind.LOST);
    assertThat(found(table, "*,!n", AS_OF, looked)).hasSize(1);
    assertThat(found(table, "*", AS_OF, looked - 1)).as("lost during the look").isEmpty();
    assertThat(found(table, "*,!m", AS_OF, looked)).as("of another metric").isEmpty();
    assertThat(found(table, "*", AS_OF - 1, looked)).as("a newer window needs it").isEmpty();
    assertThat(found(table.window("10m", DAY0, DAY0 + DAY, AS_OF), "*", AS_OF, looked))
        .as("a window of an interval that was not looked at")
        .isEmpty();
    for (String metric : List.of("m", "*")) {
      CoverageText all = day0().put(CoverageRows.maskRow(DAY0, metric), "lost/*", "", lost);
      assertThat(found(all, "*", AS_OF, looked)).as("may stand for raw points").isEmpty();
      all.put(CoverageRows.maskRow(DAY0, metric), "lost/0A", "", lost);
      assertThat(found(all, "*", AS_OF, looked))
          .allMatch(mask -> !CoverageRows.isOf(mask, "lost/*"))
          .allMatch(mask -> CoverageRows.isOf(mask, "lost/0A"));
    }
    assertThat(table.read().found(List.of(), Map.of(), looked)).isEmpty();
  }

  @Test
  void rollupsThatHBaseIsAboutToRemoveAreNotProven() {
    CoverageText table = day0();
    table.put(table.key("1h", DAY0), "expires", Long.toString(NOW + 300_001));
    assertThat(hours(table.read())).isEqualTo(seconds(DAY0, DAY0 + DAY));
    assertThat(hours(table.read(NOW + 1)).isEmpty()).isTrue();
    assertThat(table.read(NOW + 1).windows()).hasSize(2);
  }

  @Test
  void anEmptyTableProvesNothing() {
    Coverage coverage = CoverageText.empty().read();
    assertThat(hours(coverage).isEmpty()).isTrue();
    assertThat(coverage.reason()).contains("empty");
  }

  private static CoverageWindow window(long from, long to, String writer, long asOf, String of) {
    return CoverageWindow.of("1h", from, to, writer, "rollup-1h", asOf, of, "a report");
  }

  @Test
  void aWindowReplacesWhatItSaysAgain() {
    long to = DAY0 + DAY;
    CoverageWindow all = window(DAY0, to, "new", AS_OF, "*");
    assertThat(all.says(window(DAY0, to, "old", AS_OF, "*"))).isTrue();
    assertThat(all.says(window(DAY0 + HOUR, to, "old", AS_OF - 1, "a,!b"))).isTrue();
    assertThat(all.says(window(DAY0, to, "old", AS_OF + 1, "*"))).as("newer").isFalse();
    assertThat(all.says(window(DAY0 - HOUR, to, "old", AS_OF, "*"))).as("longer").isFalse();
    assertThat(window(DAY0, to, "new", AS_OF, "a").says(window(DAY0, to, "old", AS_OF, "b")))
        .isFalse();
    CoverageWindow old = window(DAY0, to, "old", AS_OF - 1, "*");
    assertThat(all.expiring(AS_OF + H).says(old)).as("stays longer").isFalse();
    assertThat(all.full(AS_OF - 2).says(old)).as("older for what is lost").isFalse();
    assertThat(all.full(AS_OF - 1).says(old)).isTrue();
  }
}
