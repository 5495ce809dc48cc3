package io.tsdbsuite.query.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.opentsdb.stats.StatsCollector;
import org.junit.jupiter.api.Test;

/** When a coverage is used, and when it is not any more. */
class CoverageSourceTest {
  private static final long WALL = 1_700_000_000_000L;

  /** The midnight before the last one; there are 100 minutes until the next. */
  private static final long DAY_BEFORE = 1_699_833_600_000L;

  private static final String ID = "0123456789abcdef0123456789abcdef";

  private final List<Deferred<Coverage>> begun = new ArrayList<>();
  private long now;

  private final CoverageSource source =
      new CoverageSource(
          time -> {
            assertThat(time).isEqualTo(WALL + now);
            Deferred<Coverage> reading = new Deferred<>();
            begun.add(reading);
            return reading;
          },
          () -> now,
          () -> WALL + now);

  private static Coverage named(String name) {
    return Coverage.nothing(name);
  }

  private String current() {
    return source.current().reason();
  }

  private static List<CoverageFloor> floors(long before) {
    return Arrays.asList(
        new CoverageFloor("raw", "w", before, "m", "proof", WALL),
        new CoverageFloor("1h", "w", before + 86_400, "*", "proof", WALL));
  }

  private long floor(String metric) {
    return source.reading().rawFloor(metric);
  }

  @Test
  void theFloorsOfTheLastReadingThatKnewThemCount() {
    assertThat(floor("m")).as("not known").isEqualTo(Long.MAX_VALUE);
    source.read();
    begun.get(0).callback(Coverage.nothing("a row is broken"));
    assertThat(floor("m")).as("not known").isEqualTo(Long.MAX_VALUE);
    source.read();
    begun.get(1).callback(Coverage.nothing("a window is broken", floors(86_400)));
    assertThat(floor("m")).isEqualTo(86_400_000);
    assertThat(floor("other")).isZero();
    assertThat(floor("")).as("of a metric without a name").isEqualTo(86_400_000);
    source.read();
    begun.get(2).callback(new IllegalStateException("HBase is away"));
    source.read();
    begun.get(3).callback(Coverage.nothing("a floor is broken"));
    now += 60_000;
    assertThat(floor("m")).isEqualTo(86_400_000);
    assertThat(source.reading().floorsKnown()).isTrue();
    assertThat(source.current().floors()).hasSize(2);
    source.read();
    begun.get(4).callback(Coverage.nothing("the table is empty", Collections.emptyList()));
    assertThat(floor("m")).as("truncated").isEqualTo(86_400_000);
    source.read();
    begun.get(5).callback(Coverage.nothing("a window is broken", floors(2 * 86_400)));
    assertThat(floor("m")).isEqualTo(2 * 86_400_000);
    source.read();
    begun.get(6).callback(covered(ID));
    assertThat(floor("m")).as("lowered").isZero();
  }

  /** {@code tiers apply} waits for two minutes, and may read what this TSD cannot. */
  @Test
  void floorsThatWereReadAMinuteAgoMayHaveRisen() {
    source.read();
    begun.get(0).callback(Coverage.nothing("a window is broken", floors(86_400)));
    now += 50_000;
    source.read();
    begun.get(1).callback(Coverage.nothing("a floor is broken"));
    now += 10_001;
    for (String metric : Arrays.asList("m", "other", "")) {
      assertThat(floor(metric)).isEqualTo(DAY_BEFORE);
    }
    assertThat(source.reading().floorsKnown()).isFalse();
    assertThat(source.reading().began()).as("of the windows").isEqualTo(50_000);
    now = 6_099_999;
    assertThat(floor("m")).isEqualTo(DAY_BEFORE);
    now++;
    assertThat(floor("m")).as("clocks differ").isEqualTo(DAY_BEFORE + 86_400_000);
    source.read();
    begun.get(2).callback(Coverage.nothing("the table is empty", Collections.emptyList()));
    assertThat(source.reading().floorsKnown()).as("what rose before the truncate").isFalse();
    source.read();
    begun.get(3).callback(Coverage.nothing("a window is broken", floors(2 * 86_400)));
    assertThat(floor("m")).isEqualTo(2 * 86_400_000);
    assertThat(source.reading().floorsKnown()).isTrue();
  }

  /** The first floor of a table rises, too; a table of version 1 never has one. */
  @Test
  void onlyATableOfTheVersionOfFloorsMayHaveSome() {
    source.read();
    begun.get(0).callback(covered(ID));
    now += 600_000;
    assertThat(floor("m")).isZero();
    assertThat(source.reading().floorsKnown()).isTrue();
    source.read();
    begun.get(1).callback(covered(ID, "2"));
    assertThat(floor("m")).isZero();
    now += 60_001;
    assertThat(floor("m")).isEqualTo(DAY_BEFORE);
  }

  @Test
  void noFloorsAreKnownWithoutATable() {
    source.read();
    begun.get(0).callback(Coverage.nothing("no such table", Collections.emptyList()));
    assertThat(floor("m")).isZero();
    now += 600_000;
    assertThat(floor("m")).isZero();
  }

  @Test
  void queriesWaitForTheFirstReading() throws Exception {
    Deferred<String> early = source.afterFirstReading(() -> Deferred.fromResult(current()));
    source.read();
    Deferred<String> later = source.afterFirstReading(() -> Deferred.fromResult(current()));
    begun.get(0).callback(named("a"));
    assertThat(early.join(1)).isEqualTo("a");
    assertThat(later.join(1)).isEqualTo("a");
    now += 61_000;
    source.read();
    assertThat(source.afterFirstReading(() -> Deferred.fromResult("now")).join(1)).isEqualTo("now");
  }

  @Test
  void aFirstReadingThatFailsEndsTheWaiting() throws Exception {
    Deferred<String> waits = source.afterFirstReading(() -> Deferred.fromResult(current()));
    source.read();
    begun.get(0).callback(new IllegalStateException("HBase is away"));
    assertThat(waits.join(1)).isEqualTo("IllegalStateException: HBase is away");
  }

  @Test
  void nothingIsProvenBeforeTheFirstReading() {
    assertThat(current()).isEqualTo("the coverage was not read yet");
    source.read();
    assertThat(current()).isEqualTo("the coverage was not read yet");
    begun.get(0).callback(named("a"));
    assertThat(current()).isEqualTo("a");
  }

  @Test
  void aCoverageIsUsedForAMinuteFromTheBeginningOfItsReading() {
    source.read();
    now += 20_000;
    begun.get(0).callback(named("a"));
    now += 40_000;
    assertThat(current()).isEqualTo("a");
    now += 1;
    assertThat(current()).isEqualTo("the coverage was last read 60 s ago");
  }

  /** A suspended machine's nanoTime stands still; its wall clock is set when it resumes. */
  @Test
  void theClockGoesOnWhileTheMachineIsSuspended() {
    long elapsed = System.nanoTime() / 1_000_000;
    long before = CoverageSource.millis();
    long wall = System.currentTimeMillis() + 300_000;
    assertThat(CoverageSource.millis(elapsed, wall)).isGreaterThanOrEqualTo(before + 299_000);
    long after = CoverageSource.millis(elapsed, wall);
    assertThat(CoverageSource.millis(elapsed, wall - 600_000)).as("set back").isEqualTo(after);
    assertThat(CoverageSource.millis(elapsed, wall - 540_000)).isEqualTo(after + 60_000);
  }

  @Test
  void aReadingThatFailsLeavesTheLastOneUntilItIsTooOld() {
    source.read();
    begun.get(0).callback(named("a"));
    now += 10_000;
    source.read();
    begun.get(1).callback(new IllegalStateException("HBase is away\nsecond line"));
    assertThat(current()).isEqualTo("a");
    now += 50_001;
    assertThat(current())
        .isEqualTo("the coverage was last read 60 s ago: IllegalStateException: HBase is away");
    source.read();
    begun.get(2).callback(named("b"));
    assertThat(current()).isEqualTo("b");
  }

  @Test
  void aReadingThatFailsAtOnceIsTold() {
    source.read();
    begun.get(0).callback(new IllegalStateException("no such host"));
    assertThat(current()).isEqualTo("IllegalStateException: no such host");
  }

  /** The heap is full for a moment. */
  @Test
  void anErrorDoesNotEndTheReadings() {
    List<Long> tries = new ArrayList<>();
    CoverageSource full =
        new CoverageSource(
            time -> {
              tries.add(time);
              throw new OutOfMemoryError("test");
            },
            () -> now,
            () -> WALL + now);
    full.readSafely();
    full.readSafely();
    assertThat(tries).hasSize(2);
    assertThat(full.current().reason()).isEqualTo("OutOfMemoryError: test");
  }

  @Test
  void oneReadingRunsAtATimeAndOneThatHangsIsGivenUp() {
    source.read();
    now += 60_000;
    source.read();
    assertThat(begun).hasSize(1);
    now += 1;
    source.read();
    assertThat(begun).hasSize(2);
    begun.get(1).callback(named("second"));
    // The one that hung shows an older state of the table.
    begun.get(0).callback(named("first"));
    assertThat(current()).isEqualTo("second");
    source.read();
    assertThat(begun).hasSize(3);
  }

  @Test
  void aReadingThatHungAndFailsDoesNotFreeAnother() {
    source.read();
    now += 60_001;
    source.read();
    begun.get(0).callback(new IllegalStateException("too late"));
    source.read();
    assertThat(begun).as("the second still runs").hasSize(2);
  }

  @Test
  void aStoppedSourceReadsNoMore() {
    source.start(1000);
    source.stop();
    assertThat(source.current().windows()).isEmpty();
  }

  private List<String> stats() {
    List<String> lines = new ArrayList<>();
    StatsCollector collector =
        new StatsCollector("tsd") {
          @Override
          public void emit(String line) {
            lines.add(line.replaceAll(" \\d{10} ", " ").strip());
          }
        };
    source.collectStats(collector, "rollup_query.");
    return lines;
  }

  @Test
  void tellsTheAgeOfTheLastGoodReadingAndTheLagOfEachInterval() {
    now += 5_000;
    assertThat(stats()).containsExactly("tsd.rollup_query.coverage.age_seconds 5");
    source.read();
    begun.get(0).callback(covered(ID));
    now += 3_000;
    assertThat(stats())
        .containsExactly(
            "tsd.rollup_query.coverage.age_seconds 3",
            "tsd.rollup_query.coverage.lag_seconds " + (7200 + 8) + " interval=1h");
    // What is refused is no good reading.
    source.read();
    begun.get(1).callback(named("row x: broken"));
    now += 1_000;
    assertThat(stats()).containsExactly("tsd.rollup_query.coverage.age_seconds 4");
  }

  /** After a restore of the table all queries read raw data, and no reading is refused. */
  @Test
  void anIntervalWithoutAWindowThatCountsIsFarBehind() {
    source.read();
    begun.get(0).callback(covered("f".repeat(32)));
    assertThat(current()).isEmpty();
    assertThat(stats())
        .containsExactly(
            "tsd.rollup_query.coverage.age_seconds 0",
            "tsd.rollup_query.coverage.lag_seconds " + WALL / 1000 + " interval=1h");
  }

  /**
   * One window of an hour, until two hours ago, and one that does not count.
   *
   * @param found the id in the rollup table; no window counts with another than ID
   */
  private static Coverage covered(String found) {
    return covered(found, "1");
  }

  private static Coverage covered(String found, String version) {
    long end = WALL / 1000 - 7200;
    CoverageReader reader = new CoverageReader();
    row(reader, "format", "version", version);
    row(reader, "marker/r", "id", ID);
    for (String table : Arrays.asList("r", "old")) {
      long to = table.equals("r") ? end : end + 3600;
      CoverageWindow window =
          CoverageWindow.of("1h", end - 3600, to, table, table, WALL - 1, "*", "a test");
      List<String> columns = new ArrayList<>();
      CoverageRows.columns(window)
          .forEach(
              (column, value) -> {
                columns.add(column);
                columns.add(value);
              });
      row(
          reader,
          CoverageRows.windowRow("1h", window.from(), table),
          columns.toArray(new String[0]));
    }
    return reader.coverage(
        Collections.singletonMap("1h", "r"), Collections.singletonMap("r", found), WALL);
  }

  private static void row(CoverageReader reader, String key, String... columns) {
    List<CoverageCell> cells = new ArrayList<>();
    for (int i = 0; i < columns.length; i += 2) {
      cells.add(
          new CoverageCell(
              key.getBytes(UTF_8), columns[i].getBytes(UTF_8), columns[i + 1].getBytes(UTF_8), 0));
    }
    reader.row(cells);
  }
}
