package io.tsdbsuite.ingest.mask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What begins before a floor is rejected, and what may do so while no floor is known waits. */
class FloorsTest {
  private static final long DAY = 86_400;
  private static final long FLOOR = 20_000 * DAY;

  /** Milliseconds. */
  private final AtomicLong elapsed = new AtomicLong(1_000_000);

  private final AtomicLong now = new AtomicLong((FLOOR + 40 * DAY) * 1000);

  private final TestFloors table =
      new TestFloors(
          new Clock() {
            @Override
            public long millis() {
              return now.get();
            }

            @Override
            public Instant instant() {
              return Instant.ofEpochMilli(now.get());
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }
          },
          new Ticker() {
            @Override
            public long read() {
              return elapsed.get() * 1_000_000;
            }
          });

  private final Floors floors = table.floors();

  private void pass(long millis) {
    elapsed.addAndGet(millis);
    now.addAndGet(millis);
  }

  private void assertAllowed(String metric, long start) {
    assertThatCode(() -> floors.require("a rollup", metric, start)).doesNotThrowAnyException();
    assertThat(floors.isBelow(metric, start)).isFalse();
  }

  private void assertBelow(String metric, long start, long floor) {
    BadMessageException refused =
        catchThrowableOfType(
            BadMessageException.class, () -> floors.require("a rollup", metric, start));
    assertThat(refused.reason()).isEqualTo(Reason.BELOW_FLOOR);
    assertThat(refused)
        .hasMessage(
            "a rollup of metric %s must begin at the floor of its raw data or later, %s, found %s",
            metric, floor, start);
    assertThat(floors.isBelow(metric, start)).isTrue();
  }

  private void assertUnknown(String why) {
    IOException refused =
        catchThrowableOfType(IOException.class, () -> floors.require("a rollup", "web.a", FLOOR));
    assertThat(refused)
        .hasMessage("the floors in table a-table must have been read in the last 60 s" + why);
    assertThat(floors.isBelow("web.a", 0)).isFalse();
  }

  @Test
  void onlyWhatBeginsBeforeTheRawFloorOfItsMetricIsRejected() {
    table.read(FLOOR, "web.*");
    assertBelow("web.a", FLOOR - 1, FLOOR);
    assertBelow("web.a", 0, FLOOR);
    assertAllowed("web.a", FLOOR);
    assertAllowed("db.a", FLOOR - 1);
  }

  /** {@code tiers apply} waits two minutes after it has raised a floor. */
  @Test
  void aReadingIsUsedForAMinuteAfterItBegan() {
    floors.turn();
    pass(20_000);
    table.answer(FLOOR, "web.*");
    pass(40_000);
    assertBelow("web.a", FLOOR - 1, FLOOR);
    pass(1);
    assertUnknown("");
    table.read(FLOOR + DAY, "web.*");
    assertBelow("web.a", FLOOR, FLOOR + DAY);
    now.addAndGet(60_001);
    assertUnknown("");
    assertThat(table.readings).hasSize(2);
  }

  @Test
  void floorsAreReadOftenAndAgainAfterAFailure() {
    table.read(FLOOR, "web.*");
    pass(19_999);
    floors.turn();
    assertThat(table.readings).hasSize(1);
    pass(1);
    floors.turn();
    assertThat(table.readings).hasSize(2);
    table.readings.get(1).callback(new IllegalStateException("no region\nof many lines"));
    assertBelow("web.a", FLOOR - 1, FLOOR);
    floors.turn();
    assertThat(table.readings).as("at once").hasSize(3);
    table.readings.get(2).callback(Coverage.nothing("version 3"));
    pass(40_001);
    assertUnknown(": version 3");
    pass(20_000);
    table.read(FLOOR + DAY, "web.*");
    assertBelow("web.a", FLOOR, FLOOR + DAY);
  }

  /** It may have found a floor that was raised since. */
  @Test
  void aReadingThatTookLongDoesNotReplaceALaterOne() {
    floors.turn();
    pass(20_000);
    table.read(FLOOR + DAY, "web.*");
    table.readings.get(0).callback(TestFloors.coverage(FLOOR, "web.*"));
    assertBelow("web.a", FLOOR, FLOOR + DAY);
  }

  @Test
  void theFirstReadingIsWaitedFor() throws InterruptedException {
    floors.turn();
    Thread waiting = new Thread(() -> assertBelow("web.a", FLOOR - 1, FLOOR));
    Throwable[] failure = new Throwable[1];
    waiting.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
    waiting.start();
    Await.until(
        "it to wait",
        Duration.ofMinutes(5),
        () -> waiting.getState() == Thread.State.TIMED_WAITING);
    table.answer(FLOOR, "web.*");
    waiting.join();
    assertThat(failure[0]).isNull();
  }

  /** The rows of a table; null for the windows of levels: HBase does not give them. */
  private final class Rows extends MaskTable {
    private final String version;
    private final List<CoverageCell> window;
    private final List<String> read = new ArrayList<>();

    Rows(String version, List<CoverageCell> window) {
      super(null, "a-table");
      this.version = version;
      this.window = window;
    }

    @Override
    public Deferred<Boolean> exists() {
      return Deferred.fromResult(true);
    }

    @Override
    Deferred<CoverageReader> rows(String start, String stop, String keys, CoverageReader reader) {
      read.add(start);
      if (!start.equals(CoverageRows.WINDOW_PREFIX)) {
        reader.row(row(CoverageRows.FORMAT_ROW, "version", version));
      } else if (window == null) {
        return Deferred.fromError(new IllegalStateException("no region"));
      } else {
        reader.row(window);
      }
      return Deferred.fromResult(reader);
    }

    /** A reading of it comes. */
    void answer() {
      floors.turn();
      Coverage coverage;
      try {
        coverage = floors(now.get()).join();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      table.readings.get(table.readings.size() - 1).callback(coverage);
    }
  }

  private static List<CoverageCell> window(String to) {
    return row(
        CoverageRows.windowRow("1h.p99", 7200, "w"),
        "to",
        to,
        "table",
        "t",
        "asOf",
        "1700000000000",
        "metrics",
        "web.*",
        "evidence",
        "e",
        "full",
        "1700000000000");
  }

  private boolean provesOthers() {
    return floors.provesOthers("web.a", level -> false);
  }

  /**
   * A repair that does not write these values leaves the masks that void them, of all hours: a load
   * may be about to add a window.
   */
  @Test
  void windowsOfOtherValuesAreKnown() {
    Rows rows = new Rows("3", window("0000014400"));
    rows.answer();
    assertThat(rows.read).containsExactly("floor/", "window/");
    assertThat(provesOthers()).isTrue();
    assertThat(floors.provesOthers("web.a", level -> level.equals("1h.p99"))).isFalse();
    assertThat(floors.provesOthers("db.a", level -> false)).isFalse();
  }

  /** A row that an operator writes by hand is broken for seconds; then its window counts again. */
  @Test
  void windowsThatCannotBeReadMayProveOtherValues() {
    for (List<CoverageCell> window : Arrays.asList(window("14400"), null)) {
      new Rows("3", window).answer();
      assertThat(provesOthers()).isTrue();
      assertThat(floors.provesOthers("db.a", level -> false)).isTrue();
      assertAllowed("web.a", 0);
      pass(20_000);
    }
  }

  @Test
  void aReadingThatFailsOrIsOldMayHaveOtherValues() {
    assertThat(provesOthers()).as("nothing was read").isTrue();
    new Rows("3", window("0000014400")).answer();
    Predicate<String> all = level -> true;
    assertThat(floors.provesOthers("web.a", all)).isFalse();
    pass(20_000);
    floors.turn();
    table.readings.get(1).callback(new IllegalStateException("no region"));
    assertThat(floors.provesOthers("web.a", all)).isTrue();
    new Rows("3", window("0000014400")).answer();
    assertThat(floors.provesOthers("web.a", all)).isFalse();
    pass(60_001);
    assertThat(floors.provesOthers("web.a", all)).isTrue();
  }

  /** Who has no levels has neither the reading of windows nor masks that stay. */
  @Test
  void aTableWithoutLevelsHasNoWindowsOfThem() {
    Rows rows = new Rows("2", null);
    rows.answer();
    assertThat(rows.read).containsExactly("floor/");
    assertThat(provesOthers()).isFalse();
    pass(20_000);
    floors.turn();
    table.readings.get(1).callback(new IllegalStateException("no region"));
    assertThat(provesOthers()).isFalse();
    pass(40_001);
    assertThat(provesOthers()).as("it may have them now").isTrue();
  }

  private static List<CoverageCell> row(String key, String... texts) {
    List<CoverageCell> cells = new ArrayList<>();
    for (int i = 0; i < texts.length; i += 2) {
      cells.add(
          new CoverageCell(
              key.getBytes(UTF_8), texts[i].getBytes(UTF_8), texts[i + 1].getBytes(UTF_8), 1));
    }
    return cells;
  }

  @Test
  void withoutATableThereAreNoFloors() {
    Floors none = TestFloors.none();
    none.start();
    assertThatCode(() -> none.require("a rollup", "web.a", 0)).doesNotThrowAnyException();
    assertThat(none.isBelow("web.a", 0)).isFalse();
    assertThat(none.provesOthers("web.a", level -> false)).isFalse();
    none.close();
  }
}
