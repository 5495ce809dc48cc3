package io.tsdbsuite.coverage;

import static io.tsdbsuite.coverage.CoverageText.DAY;
import static io.tsdbsuite.coverage.CoverageText.DAY0;
import static io.tsdbsuite.coverage.CoverageText.HOUR;
import static io.tsdbsuite.coverage.CoverageText.ID;
import static io.tsdbsuite.coverage.CoverageText.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which masks may be deleted, so that nothing becomes proven by it, now or later. */
class VoidMasksTest {
  private static final long AS_OF = (DAY0 + 27 * HOUR) * 1000;
  private static final long OLD = AS_OF - 100_000;
  private static final String ROW = CoverageRows.maskRow(DAY0, "m");
  private static final String ALL = CoverageRows.maskRow(DAY0, "*");
  private static final String[] LEVELS = {"1h", "1h.p99", "1h.p50", "1d", "1d.p99", "10m"};
  private static final Map<String, Long> WIDTHS = Map.of("1h", HOUR * 1000, "1d", DAY * 1000);

  private static CoverageText day0() {
    return CoverageText.marked()
        .window("1h", DAY0, DAY0 + DAY, AS_OF)
        .window("1d", DAY0, DAY0 + DAY, AS_OF);
  }

  private static Map<String, Long> voidMasks(CoverageText table) {
    return table.read().voidMasks(WIDTHS, NOW);
  }

  @Test
  void aMaskIsVoidUpToItsNewestCell() {
    CoverageText table = day0().mask(DAY0, "m", OLD).put(ROW, "lost/0A", "", OLD + 5);
    assertThat(voidMasks(table)).containsExactly(Map.entry(ROW, OLD + 5));
    table.put(ROW, "lost/0B", "", AS_OF - 60_000);
    assertThat(voidMasks(table)).as("one cell is needed").isEmpty();
  }

  @Test
  void aMaskThatOneIntervalNeedsStays() {
    CoverageText table =
        day0().window("1h", DAY0, DAY0 + DAY, AS_OF + DAY * 1000).mask(DAY0, "m", AS_OF);
    assertThat(voidMasks(table)).isEmpty();
    table.window("1d", DAY0, DAY0 + DAY, AS_OF + DAY * 1000);
    assertThat(voidMasks(table)).containsOnlyKeys(ROW);
  }

  @Test
  void aMaskOfTheLastDaysStaysForProofsThatComeLate() {
    CoverageText table = CoverageText.marked().mask(DAY0, "m", NOW - Coverage.MAX_PROOF_AGE);
    assertThat(voidMasks(table)).isEmpty();
    assertThat(table.read().voidMasks(WIDTHS, NOW + 1)).containsOnlyKeys(ROW);
  }

  @Test
  void windowsThatMayCountAgainNeedTheirMasks() {
    CoverageText table = day0().mask(DAY0, "m", AS_OF);
    table.raised("1h", DAY0, DAY0 + DAY, AS_OF, AS_OF + DAY * 1000);
    table.raised("1d", DAY0, DAY0 + DAY, AS_OF, AS_OF + DAY * 1000);
    assertThat(voidMasks(table)).containsOnlyKeys(ROW);
    assertThat(table.read().voidMasks(Map.of("1h", HOUR * 1000), NOW)).isEmpty();
    assertThat(voidMasks(table.id("rollup-1d", null))).isEmpty();
  }

  /** No refresh raises them: their masks would become more for ever. */
  @Test
  void windowsOfPackedRowsNeedNoMask() {
    CoverageText table =
        day0()
            .levels()
            .knows("1h.packed")
            .window("1h.packed", DAY0, DAY0 + DAY, AS_OF)
            .mask(DAY0, "m", AS_OF);
    Map<String, Long> widths =
        Map.of("1h", HOUR * 1000, "1d", DAY * 1000, "1h.packed", HOUR * 1000);
    assertThat(table.read().voidMasks(widths, NOW)).isEmpty();
    table.window("1h", DAY0, DAY0 + DAY, AS_OF + DAY * 1000);
    table.window("1d", DAY0, DAY0 + DAY, AS_OF + DAY * 1000);
    assertThat(table.read().proven("1h.packed", HOUR * 1000, "m").from(0))
        .isEqualTo((DAY0 + HOUR) * 1000);
    assertThat(table.read().voidMasks(widths, NOW)).containsOnlyKeys(ROW);
  }

  @Test
  void aMaskOfAllMetricsStaysForAnyOfThem() {
    CoverageText table =
        CoverageText.marked()
            .put(ALL, "late/*", "", AS_OF)
            .window("1h", DAY0, DAY0 + DAY, AS_OF + DAY * 1000, "*,!m");
    assertThat(voidMasks(table)).containsOnlyKeys(ALL);
    table.window("1h", DAY0, DAY0 + DAY, AS_OF, "*");
    assertThat(voidMasks(table)).as("m is read as of the time of the mask").isEmpty();
    table.window("1h", DAY0, DAY0 + DAY, AS_OF + DAY * 1000, "*");
    assertThat(voidMasks(table)).containsOnlyKeys(ALL);
    table.window("1h", DAY0, DAY0 + DAY, AS_OF, "?");
    assertThat(voidMasks(table)).as("not worth to find out").isEmpty();
  }

  /** Whatever a table has: without its void masks it proves what it proved. */
  @Test
  void theProvenTimesStayTheSame() {
    Random random = Seed.random();
    String[] selections = {"*", "m", "*,!m", "n,m", "?"};
    for (int n = 0; n < 3000; n++) {
      CoverageText table =
          CoverageText.marked().levels().put("marker/rollup-10m", "id", ID).id("rollup-10m", ID);
      for (int i = random.nextInt(6); i > 0; i--) {
        String interval = LEVELS[random.nextInt(LEVELS.length)];
        long from = DAY0 + random.nextInt(4) * (12 * HOUR);
        long to = from + (1L + random.nextInt(3)) * (12 * HOUR);
        long asOf = (DAY0 + (4L + random.nextInt(3)) * DAY) * 1000;
        table.window(interval, from, to, asOf, selections[random.nextInt(selections.length)]);
        if (random.nextInt(3) == 0) {
          table.raised(interval, from, to, asOf, asOf + DAY * 1000);
        }
      }
      for (int i = random.nextInt(8); i > 0; i--) {
        long hour = DAY0 + random.nextInt(50) * HOUR;
        String row = CoverageRows.maskRow(hour, random.nextInt(4) == 0 ? "*" : "m");
        String kind = random.nextBoolean() ? "late/" : "lost/";
        String end = random.nextBoolean() ? "*" : "*/" + (hour + random.nextInt(1, 9) * HOUR);
        table.put(row, kind + end, "", (DAY0 + random.nextInt(3, 8) * DAY) * 1000);
      }
      Coverage before = table.read();
      Map<String, Long> voids =
          before.voidMasks(
              Map.of(
                  "1h",
                  HOUR * 1000,
                  "1h.p99",
                  HOUR * 1000,
                  "1d",
                  DAY * 1000,
                  "1d.p99",
                  DAY * 1000,
                  "10m",
                  HOUR * 1000 / 6),
              NOW);
      // Its aggregator had no id when the masks were deleted.
      before = table.knows("1h.p50").read();
      voids.keySet().forEach(table::delete);
      Coverage after = table.read();
      for (String metric : new String[] {"m", "n", "o", "*"}) {
        for (String interval : LEVELS) {
          long width =
              interval.startsWith("1h") ? HOUR : interval.startsWith("1d") ? DAY : HOUR / 6;
          assertThat(after.proven(interval, width * 1000, metric))
              .as("%s%s without %s", Seed.describe(n), before.windows(), voids)
              .isEqualTo(before.proven(interval, width * 1000, metric));
        }
      }
    }
  }
}
