package io.tsdbsuite.coverage;

import static io.tsdbsuite.coverage.CoverageText.DAY;
import static io.tsdbsuite.coverage.CoverageText.DAY0;
import static io.tsdbsuite.coverage.CoverageText.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of what is stored beside sum, min, max and count. */
class CoverageLevelTest {
  private static final long AS_OF = (DAY0 + 27 * HOUR) * 1000;
  private static final TimeRanges DAY_0 = TimeRanges.of(DAY0 * 1000, (DAY0 + DAY) * 1000);

  private static TimeRanges proven(CoverageText table, String level) {
    long width = level.startsWith("1h") ? HOUR : DAY;
    return table.read().proven(level, width * 1000, "m");
  }

  private static CoverageText day0(String... levels) {
    CoverageText table = CoverageText.marked().levels();
    for (String level : levels) {
      table.window(level, DAY0, DAY0 + DAY, AS_OF);
    }
    return table;
  }

  @Test
  void aLevelIsProvenByItsOwnWindowsAlone() {
    CoverageText table = day0("1h", "1d.p99");
    assertThat(table.read().reason()).isEmpty();
    assertThat(table.read().mayHaveFloors()).isTrue();
    assertThat(table.read().mayHaveLevels()).isTrue();
    assertThat(proven(table, "1h")).isEqualTo(DAY_0);
    assertThat(proven(table, "1h.p99").isEmpty()).isTrue();
    assertThat(proven(table, "1d").isEmpty()).isTrue();
    assertThat(proven(table, "1d.p99")).isEqualTo(DAY_0);
    assertThat(table.read().end("1d.p99")).isEqualTo(DAY0 + DAY);
    assertThat(table.read().end("1h.p99")).isZero();
  }

  /** Of an aggregator without id, or of another table. */
  @Test
  void aLevelThatTheReaderDoesNotKnowIsVoid() {
    CoverageText table = day0("1h", "1h.p50").window("1h.p99", DAY0, DAY0 + DAY, AS_OF);
    table.put(table.key("1h.p99", DAY0), "table", "rollup-other");
    assertThat(table.read().reason()).isEmpty();
    assertThat(table.read().windows()).hasSize(3);
    assertThat(proven(table, "1h")).isEqualTo(DAY_0);
    assertThat(proven(table, "1h.p50").isEmpty()).isTrue();
    assertThat(proven(table, "1h.p99").isEmpty()).isTrue();
    assertThat(proven(table.knows("1h.p50"), "1h.p50")).isEqualTo(DAY_0);
  }

  @Test
  void aMaskVoidsAllLevelsOfItsHour() {
    CoverageText table = day0("1h", "1h.p99", "1d", "1d.p99").mask(DAY0 + HOUR, "m", AS_OF);
    TimeRanges hour = TimeRanges.of((DAY0 + HOUR) * 1000, (DAY0 + 2 * HOUR) * 1000);
    for (String level : List.of("1h", "1h.p99")) {
      assertThat(proven(table, level)).as(level).isEqualTo(DAY_0.minus(hour));
    }
    for (String level : List.of("1d", "1d.p99")) {
      assertThat(proven(table, level).isEmpty()).as(level).isTrue();
    }
    table.window("1h", DAY0, DAY0 + DAY, AS_OF + DAY * 1000);
    assertThat(proven(table, "1h")).as("as of later").isEqualTo(DAY_0);
    assertThat(proven(table, "1h.p99")).isEqualTo(DAY_0.minus(hour));
  }

  /** Histograms have a table of their own. */
  @Test
  void theFloorOfAnIntervalIsOfItsTable() {
    CoverageText table = day0("1h", "1h.p99", "1h.histogram", "1d.p99").knows("1h.histogram");
    table.floor("1h", DAY0 + DAY, "m");
    assertThat(proven(table, "1h").isEmpty()).isTrue();
    assertThat(proven(table, "1h.p99").isEmpty()).isTrue();
    assertThat(proven(table, "1h.histogram")).isEqualTo(DAY_0);
    assertThat(proven(table, "1d.p99")).isEqualTo(DAY_0);
    assertThat(floors(table))
        .isEqualTo(
            Map.of("1h", DAY0 + DAY, "1h.p99", DAY0 + DAY, "1h.histogram", 0L, "1d.p99", 0L));
    Coverage coverage = table.read();
    assertThat(coverage.provenBySelection("1h.p99", HOUR * 1000).get("*").isEmpty()).isTrue();
    assertThat(coverage.floor("1h.p99", "m")).isEqualTo(DAY0 + DAY);
  }

  /** Copies of rows go with these, and say nothing of raw data. */
  @Test
  void theFloorOfAnIntervalIsOfItsPackedRows() {
    CoverageText table = day0("1h", "1h.packed", "1d.packed").knows("1d.packed");
    table.put(table.key("1h.packed", DAY0), "table", "packed-1h").knows("1h.packed", "packed-1h");
    table.put("marker/packed-1h", "id", CoverageText.ID).id("packed-1h", CoverageText.ID);
    table.floor(CoverageFloor.RAW, DAY0 + 2 * DAY, "*");
    assertThat(proven(table, "1h.packed")).isEqualTo(DAY_0);
    assertThat(floors(table))
        .isEqualTo(Map.of("1h", DAY0 + 2 * DAY, "1h.packed", 0L, "1d.packed", 0L));
    table.floor("1h", DAY0 + DAY, "m");
    assertThat(proven(table, "1h.packed").isEmpty()).isTrue();
    assertThat(proven(table, "1d.packed")).isEqualTo(DAY_0);
    assertThat(floors(table))
        .isEqualTo(Map.of("1h", DAY0 + 2 * DAY, "1h.packed", DAY0 + DAY, "1d.packed", 0L));
    assertThat(table.read().floor("1h.packed", "m")).isEqualTo(DAY0 + DAY);
  }

  /** The floor of each window, by its level. */
  private static Map<String, Long> floors(CoverageText table) {
    Map<String, Long> floors = new LinkedHashMap<>();
    Coverage coverage = table.read();
    coverage.windows().forEach(window -> floors.put(window.interval(), coverage.floor(window)));
    return floors;
  }

  /** A look at the four values alone does not show that p99 is stored. */
  @Test
  void whatIsLostIsFoundByALookAtItsLevels() {
    long lost = AS_OF + HOUR * 1000;
    CoverageText table =
        day0("1h").put(CoverageRows.maskRow(DAY0, "m"), "lost/0A", "", lost).levels();
    Map<String, Long> widths = Map.of("1h", HOUR * 1000, "1h.p99", HOUR * 1000);
    List<CoverageWindow> found = new ArrayList<>();
    found.add(look("1h", DAY0, DAY0 + DAY));
    assertThat(table.read().found(found, widths, lost + 60_001)).hasSize(1);
    table.window("1h.p99", DAY0, DAY0 + DAY, AS_OF);
    assertThat(table.read().found(found, widths, lost + 60_001)).isEmpty();
    found.add(look("1h.p99", DAY0 + HOUR, DAY0 + DAY));
    assertThat(table.read().found(found, widths, lost + 60_001)).as("other hours").isEmpty();
    found.add(look("1h.p99", DAY0, DAY0 + HOUR));
    assertThat(table.read().found(found, widths, lost + 60_001)).hasSize(1);
  }

  private static CoverageWindow look(String level, long from, long to) {
    return CoverageWindow.of(level, from, to, "new", "rollup-1h", AS_OF, "*", "a look");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void otherVersionsHaveNoLevels(String version) {
    CoverageText table = day0("1h", "1h.p99").put("format", "version", version);
    assertThat(table.read().reason())
        .isEqualTo(
            "row %s needs the version 3 of row format, found %s",
            table.key("1h.p99", DAY0), version);
    assertThat(proven(table, "1h").isEmpty()).isTrue();
    assertThat(table.read().floorsKnown()).isTrue();
  }

  /**
   * A release that knows version 2 refuses the table twice: its pattern of keys refuses windows of
   * levels, and its rule of versions makes floors unknown, with such windows and without.
   */
  @Test
  void aReleaseThatKnowsVersion2ProvesNothingAndKnowsNoFloors() {
    Pattern oldKey =
        Pattern.compile("window/([1-9][0-9]{0,8}[smhdwny])/([0-9]{10})/([A-Za-z0-9._-]{1,100})");
    List<String> oldVersions = List.of("1", "2");
    CoverageWindow window = look("1h", DAY0, DAY0 + DAY);
    assertThat(CoverageRows.windowRow(window.interval(), window.from(), window.writer()))
        .matches(oldKey);
    for (String level : List.of("1h.p99", "1d.first", "1h.histogram")) {
      CoverageWindow other = look(level, DAY0, DAY0 + DAY);
      assertThat(CoverageRows.columns(other)).isNotEmpty();
      assertThat(CoverageRows.windowRow(level, other.from(), other.writer())).doesNotMatch(oldKey);
    }
    assertThat(CoverageRows.LEVEL_VERSION).isNotIn(oldVersions);
    assertThat(CoverageRows.hasFloors("3")).isTrue();
    assertThat(CoverageRows.hasLevels("2")).isFalse();
    assertThat(List.of("0", "4", "31", "")).noneMatch(CoverageRows::isKnown);
  }

  private static final String[] LEVELS = {"1h", "1h.p99", "1h.p50", "1d", "1d.p99"};
  private static final Map<String, List<String>> SELECTIONS =
      Map.of(
          "*",
          List.of("m", "n"),
          "m",
          List.of("m"),
          "*,!m",
          List.of("n"),
          "n,m",
          List.of("m", "n"));

  /** One window, or one mask, in seconds; {@code asOf} in milliseconds. */
  private record Claim(String level, long from, long to, long late, long lost, List<String> of) {}

  private record Hidden(long from, long to, boolean late, long time, String metric) {}

  private record Floor(String level, long before, List<String> of) {}

  /** Levels, masks and floors by the words of docs/coverage.md, bucket by bucket. */
  @Test
  void randomTablesProveWhatTheRulesSay() {
    Random random = Seed.random();
    for (int n = 0; n < 1500; n++) {
      CoverageText table = CoverageText.marked().levels();
      List<Claim> claims = new ArrayList<>();
      for (int i = random.nextInt(8); i > 0; i--) {
        String level = LEVELS[random.nextInt(LEVELS.length)];
        String selection =
            new ArrayList<>(SELECTIONS.keySet()).get(random.nextInt(SELECTIONS.size()));
        long from = DAY0 + random.nextInt(9) * (6 * HOUR);
        long to = from + (1 + random.nextInt(9)) * (6 * HOUR);
        long full = to * 1000 + random.nextInt(9) * HOUR * 500;
        long asOf = full + random.nextInt(4) * HOUR * 500;
        table.raised(level, from, to, full, asOf, selection);
        claims.add(new Claim(level, from, to, asOf, full, SELECTIONS.get(selection)));
      }
      List<Hidden> masks = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        long from = DAY0 + random.nextInt(90) * HOUR;
        long to = from + (1 + random.nextInt(5)) * HOUR;
        boolean late = random.nextBoolean();
        long time = (from + random.nextInt(60) * HOUR) * 1000;
        String metric = random.nextBoolean() ? "m" : "*";
        String row = CoverageRows.maskRow(from, metric);
        String column = (late ? "late/*/" : "lost/*/") + to;
        table.put(row, column, "", time);
        masks.removeIf(
            each ->
                each.from == from
                    && each.to == to
                    && each.late == late
                    && each.metric.equals(metric));
        masks.add(new Hidden(from, to, late, time, metric));
      }
      List<Floor> floors = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        String level = List.of("raw", "1h", "1d").get(random.nextInt(3));
        String selection = random.nextBoolean() ? "m" : "*";
        long before = DAY0 + random.nextInt(4) * DAY;
        table.floor(level, before, selection);
        floors.add(new Floor(level, before, SELECTIONS.get(selection)));
      }
      Coverage coverage = table.read();
      assertThat(coverage.reason()).as(Seed.describe(n)).isEmpty();
      for (String level : LEVELS) {
        long width = level.startsWith("1h") ? HOUR : DAY;
        for (String metric : List.of("m", "n")) {
          TimeRanges proven = coverage.proven(level, width * 1000, metric);
          for (long from = DAY0; from < DAY0 + 6 * DAY; from += width) {
            boolean naive =
                !level.equals("1h.p50")
                    && isProven(claims, masks, floors, level, metric, from, from + width);
            assertThat(proven.contains(from * 1000, (from + width) * 1000))
                .as("%s%s of %s from %s", Seed.describe(n), level, metric, from)
                .isEqualTo(naive);
          }
        }
      }
    }
  }

  private static boolean isProven(
      List<Claim> claims,
      List<Hidden> masks,
      List<Floor> floors,
      String level,
      String metric,
      long from,
      long to) {
    long late = -1;
    long lost = -1;
    for (Claim claim : claims) {
      if (claim.level.equals(level)
          && claim.of.contains(metric)
          && claim.from <= from
          && to <= claim.to) {
        late = Math.max(late, claim.late);
        lost = Math.max(lost, claim.lost);
      }
    }
    long raw = 0;
    for (Floor floor : floors) {
      if (floor.of.contains(metric)) {
        if (floor.level.equals("raw")) {
          raw = Math.max(raw, floor.before);
        } else if (level.startsWith(floor.level) && from < floor.before) {
          return false;
        }
      }
    }
    for (Hidden mask : masks) {
      if ((mask.metric.equals("*") || mask.metric.equals(metric))
          && Math.max(mask.from, raw) < to
          && mask.to > from
          && mask.to > raw
          && (mask.late ? late : lost) <= mask.time + 60_000) {
        return false;
      }
    }
    return late >= (to + 300) * 1000;
  }
}
