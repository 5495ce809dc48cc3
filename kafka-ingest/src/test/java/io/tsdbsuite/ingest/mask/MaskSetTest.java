package io.tsdbsuite.ingest.mask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is masked is found by readers, whatever bound is reached. */
class MaskSetTest {
  private static final long DAY0 = 1_700_006_400;
  private static final long HOUR = 3600;
  private static final int HOURS = 240;
  private static final long AS_OF = (DAY0 + 2 * HOURS * HOUR) * 1000;

  /** The coverage of a window over all hours, which a refresh newer than the masks has raised. */
  private static Coverage coverage(MaskSet masks, boolean refreshed) {
    CoverageReader reader = new CoverageReader();
    String id = "0123456789abcdef0123456789abcdef";
    row(reader, "format", "version", "1", 0);
    row(reader, "marker/t", "id", id, 0);
    List<CoverageCell> cells = new ArrayList<>();
    masks
        .rows()
        .forEach(
            (row, columns) -> {
              assertThat(columns).isNotEmpty();
              cells.clear();
              columns.forEach(column -> cells.add(cell(row, column, "", AS_OF)));
              assertThat(reader.row(cells)).isTrue();
            });
    CoverageWindow window =
        CoverageWindow.of("1h", DAY0, DAY0 + HOURS * HOUR, "w", "t", AS_OF, "*", "a test");
    window(reader, refreshed ? window.raised(AS_OF + 60_001, "r") : window);
    Coverage coverage = reader.coverage(Map.of("1h", "t"), Map.of("t", id), AS_OF + 60_001);
    assertThat(coverage.reason()).isEmpty();
    return coverage;
  }

  private static void window(CoverageReader reader, CoverageWindow window) {
    String row = CoverageRows.windowRow("1h", window.from(), window.writer());
    List<CoverageCell> cells = new ArrayList<>();
    CoverageRows.columns(window).forEach((column, value) -> cells.add(cell(row, column, value, 0)));
    assertThat(reader.row(cells)).isTrue();
  }

  private static void row(
      CoverageReader reader, String row, String column, String value, long time) {
    assertThat(reader.row(List.of(cell(row, column, value, time)))).isTrue();
  }

  private static CoverageCell cell(String row, String column, String value, long time) {
    return new CoverageCell(
        row.getBytes(UTF_8), column.getBytes(UTF_8), value.getBytes(UTF_8), time);
  }

  private static boolean proves(Coverage coverage, long hour, String metric) {
    return coverage.proven("1h", HOUR * 1000, metric).contains(hour * 1000, (hour + HOUR) * 1000);
  }

  private record Mask(Kind kind, long hour, String metric, String tsuid) {}

  private static List<Mask> draw(Random random) {
    String[] names = {"a", "b/c", "*", "d\n", "x".repeat(600), "ü", "f", "g"};
    List<Mask> masks = new ArrayList<>();
    int hours = 1 + random.nextInt(HOURS);
    for (int i = random.nextInt(200); i > 0; i--) {
      masks.add(
          new Mask(
              random.nextInt(4) == 0 ? Kind.LOST : Kind.LATE,
              DAY0 + random.nextInt(hours) * HOUR,
              names[random.nextInt(names.length)],
              random.nextInt(9) == 0 ? "" : String.format("%06X", random.nextInt(12))));
    }
    return masks;
  }

  @Test
  void everyMaskIsFoundByReaders() {
    Random random = Seed.random();
    int exact = 0;
    for (int n = 0; n < 700; n++) {
      MaskLimits limits =
          new MaskLimits(
              random.nextInt(8),
              1 + random.nextInt(6),
              1 + random.nextInt(150),
              random.nextInt(80));
      MaskSet masks = new MaskSet(limits);
      MaskSet other = new MaskSet(limits);
      List<Mask> given = draw(random);
      for (Mask each : given) {
        (random.nextBoolean() ? masks : other).add(each.kind, each.hour, each.metric, each.tsuid);
      }
      masks.addAll(other);
      assertThat(masks.isEmpty()).isEqualTo(given.isEmpty());
      assertThat(masks.rows().size()).as(Seed.describe(n)).isLessThanOrEqualTo(limits.rows);
      long named =
          masks.rows().values().stream()
              .flatMap(List::stream)
              .filter(column -> !column.contains("*"))
              .count();
      assertThat(named).isLessThanOrEqualTo(limits.names);
      Coverage coverage = coverage(masks, false);
      Coverage refreshed = coverage(masks, true);
      Set<String> hit = new HashSet<>();
      for (Mask each : given) {
        hit.add(each.hour + each.metric);
        assertThat(proves(coverage, each.hour, each.metric)).as(Seed.describe(n)).isFalse();
        if (each.kind == Kind.LOST) {
          assertThat(proves(refreshed, each.hour, each.metric)).as(Seed.describe(n)).isFalse();
        }
      }
      if (!masks.isCoarse()
          && given.stream()
              .noneMatch(
                  each ->
                      each.metric.length() > 3
                          || each.metric.equals("*")
                          || each.metric.contains("\n"))) {
        exact++;
        for (long hour = DAY0; hour < DAY0 + HOURS * HOUR; hour += HOUR) {
          for (String metric : new String[] {"a", "b/c", "f", "z"}) {
            assertThat(proves(coverage, hour, metric))
                .as(Seed.describe(n))
                .isEqualTo(!hit.contains(hour + metric));
          }
        }
      }
    }
    assertThat(exact).isPositive();
  }

  @Test
  void tooManySeriesAreNotNamed() {
    MaskSet masks = new MaskSet(new MaskLimits(2, 10));
    for (String tsuid : new String[] {"01", "02", "01"}) {
      masks.add(Kind.LATE, DAY0, "m", tsuid);
    }
    masks.add(Kind.LOST, DAY0, "m", "03");
    String row = CoverageRows.maskRow(DAY0, "m");
    assertThat(masks.rows()).containsOnlyKeys(row);
    assertThat(masks.rows().get(row)).containsExactlyInAnyOrder("late/01", "late/02", "lost/03");
    assertThat(masks.isCoarse()).isFalse();
    masks.add(Kind.LATE, DAY0, "m", "03");
    assertThat(masks.rows().get(row)).containsExactlyInAnyOrder("late/*", "lost/03");
    assertThat(masks.isCoarse()).isTrue();
  }

  /** One such column would end the reading of the whole table. */
  @Test
  void aSeriesOfVeryManyTagsIsNotNamed() {
    MaskSet longest = new MaskSet(new MaskLimits(10, 10));
    longest.add(Kind.LATE, DAY0, "m", "0A".repeat(256));
    assertThat(longest.rows()).hasToString("{mask/" + DAY0 + "/m=[late/" + "0A".repeat(256) + "]}");
    assertThat(longest.isCoarse()).isFalse();
    assertThat(proves(coverage(longest, false), DAY0, "m")).isFalse();
    MaskSet longer = new MaskSet(new MaskLimits(10, 10));
    longer.add(Kind.LATE, DAY0, "m", "0A".repeat(257));
    assertThat(longer.rows()).hasToString("{mask/" + DAY0 + "/m=[late/*]}");
    assertThat(longer.isCoarse()).isTrue();
    assertThat(proves(coverage(longer, false), DAY0, "m")).isFalse();
    assertThat(proves(coverage(longer, false), DAY0 + HOUR, "m")).isTrue();
  }

  @Test
  void tooManyMetricsOfAnHourHaveOneRow() {
    MaskSet masks = new MaskSet(new MaskLimits(2, 3));
    for (int i = 0; i < 100; i++) {
      masks.add(Kind.LATE, DAY0, "m" + i, "01");
    }
    masks.add(Kind.LATE, DAY0 + HOUR, "m50", "01");
    assertThat(masks.rows())
        .containsOnlyKeys(
            CoverageRows.maskRow(DAY0, "m0"),
            CoverageRows.maskRow(DAY0, "m1"),
            CoverageRows.maskRow(DAY0, "m2"),
            CoverageRows.maskRow(DAY0, "*"),
            CoverageRows.maskRow(DAY0 + HOUR, "m50"));
  }

  /** A producer sends 40 days again. */
  @Test
  void aStormHasFewRows() {
    MaskSet few = new MaskSet(new MaskLimits(1000, 1000));
    MaskSet many = new MaskSet(new MaskLimits(1000, 1000));
    for (int hour = 0; hour < 40 * 24; hour++) {
      for (int series = 0; series < 100; series++) {
        few.add(Kind.LATE, DAY0 + hour * HOUR, "m" + series % 3, String.format("%04X", series));
        many.add(Kind.LATE, DAY0 + hour * HOUR, "m" + series, String.format("%04X", series));
      }
    }
    assertThat(few.rows()).hasSize(3 * 40 * 24);
    assertThat(few.rows().values().stream().mapToInt(List::size).sum())
        .isLessThanOrEqualTo(MaskLimits.NAMES + 3 * 40 * 24);
    assertThat(many.rows()).as("a day of each metric").hasSize(100 * 40);
    assertThat(many.rows().get(CoverageRows.maskRow(DAY0, "m7")))
        .containsExactly("late/*/" + (DAY0 + 24 * HOUR));
  }

  @Test
  void aFullTableGetsWiderMasks() {
    MaskBudget budget = new MaskBudget();
    MaskLimits limits = new MaskLimits(1000, 1000);
    assertThat(budget.mustCount(0)).isTrue();
    Map<Integer, String> rows =
        Map.of(
            MaskBudget.ROWS_OF_HOURS - 1,
            "mask/" + (DAY0 + HOUR) + "/m=[late/*]",
            MaskBudget.ROWS_OF_HOURS,
            "mask/" + DAY0 + "/m=[late/*/" + (DAY0 + 24 * HOUR) + "]",
            MaskBudget.ROWS_OF_DAYS,
            "mask/" + DAY0 + "/*=[late/*/" + (DAY0 + 24 * HOUR) + "]",
            MaskBudget.ROWS,
            "mask/0000000000/*=[late/*/9999997200]");
    rows.forEach(
        (counted, row) -> {
          budget.counted(counted, MaskBudget.CELLS, 5);
          MaskSet masks = budget.next(limits);
          masks.add(Kind.LATE, DAY0 + HOUR, "m", "01");
          assertThat(masks.rows()).hasToString("{" + row + "}");
          assertThat(masks.isCoarse()).isTrue();
        });
    budget.counted(0, 0, 5);
    assertThat(budget.mustCount(5 + MaskBudget.MAX_AGE)).isFalse();
    assertThat(budget.mustCount(6 + MaskBudget.MAX_AGE)).isTrue();
    budget.written(1, MaskBudget.CELLS_UNCOUNTED);
    assertThat(budget.mustCount(6)).isFalse();
    budget.written(MaskBudget.ROWS_UNCOUNTED, 0);
    assertThat(budget.mustCount(6)).isTrue();
  }

  @Test
  void aPointIsLateAMinuteAfterItsHour() {
    assertThat(MaskRule.hour(DAY0 + 5)).isEqualTo(DAY0);
    assertThat(MaskRule.hour((DAY0 + HOUR) * 1000 - 1)).isEqualTo(DAY0);
    long end = (DAY0 + HOUR) * 1000;
    assertThat(MaskRule.isLate(DAY0, end + 60_000)).isFalse();
    assertThat(MaskRule.isLate(DAY0, end + 60_001)).isTrue();
  }
}
