package io.tsdbsuite.job.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupConfig;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a writer of windows refuses, and what it removes. */
class CoverageTableTest {
  private static final long FROM = 1_700_006_400;
  private static final long DAY = 86400;
  private static final long NOW = (FROM + 5 * DAY) * 1000;

  private final AtomicLong time = new AtomicLong();
  private final MemoryTable coverage = new MemoryTable(this::step, time);
  private final MemoryTable rollups = new MemoryTable(() -> {}, time);
  private final Connection connection =
      (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) ->
                  String.valueOf(arguments[0]).equals("r") ? rollups.table() : coverage.table());
  private final CoverageTable table = table();

  /** Calls to the coverage table that are left to a writer. */
  private int calls = Integer.MAX_VALUE;

  /** What happens then. */
  private MemoryTable.Step event = CoverageTableTest::die;

  private static void die() throws IOException {
    throw new IOException("died");
  }

  private void step() throws IOException {
    if (calls-- == 0) {
      event.step();
    }
  }

  private CoverageTable table() {
    try {
      return new CoverageTable(connection, "coverage");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CoverageWindow window(long day, String writer, String metrics) {
    long from = FROM + day * DAY;
    return CoverageWindow.of(
        "1h", from, from + DAY, writer, "r", (from + DAY) * 1000, metrics, "a report");
  }

  private List<String> windows() throws Exception {
    return table.windows().stream().map(CoverageWindow::writer).toList();
  }

  /** Adds windows without a look for their rollups. */
  private void add(List<CoverageWindow> windows) throws IOException, CoverageRefusedException {
    table.add(windows, Map.of("r", table.mark("r")), NOW);
  }

  @Test
  void aTableThatBecameAnotherOneGetsNoWindow() throws Exception {
    CoverageWindow window = window(0, "a", "*");
    Map<String, String> marks = Map.of("r", table.mark("r"));
    rollups.mutate(new Delete(CoverageRows.tableMarkerRow()).addFamily(new byte[] {'t'}));
    assertThatThrownBy(() -> table.add(List.of(window), marks, NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("table r must have the marker of this load", "found none");
    String other = table.mark("r");
    assertThatThrownBy(() -> table.add(List.of(window), marks, NOW)).hasMessageContaining(other);
    assertThat(windows()).isEmpty();
    table.add(List.of(window), Map.of("r", other), NOW);
    assertThat(windows()).containsExactly("a");
  }

  /** Masks of that time may be gone. */
  @Test
  void anOldProofIsRefused() throws Exception {
    CoverageWindow window = window(0, "a", "*");
    Map<String, String> marks = Map.of("r", table.mark("r"));
    long old = window.asOf() + Coverage.MAX_PROOF_AGE + 1;
    assertThatThrownBy(() -> table.add(List.of(window), marks, old))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("at most 7 days old");
    table.add(List.of(window), marks, old - 1);
    assertThat(windows()).containsExactly("a");
  }

  @Test
  void whatReadersRefuseIsNotWritten() throws Exception {
    for (int i = 0; i < CoverageReader.MAX_WINDOWS; i++) {
      CoverageWindow window = window(0, "w" + i, "*");
      Put put =
          new Put(CoverageRows.windowRow("1h", window.from(), window.writer()).getBytes(UTF_8));
      CoverageRows.columns(window)
          .forEach(
              (column, value) ->
                  put.addColumn(new byte[] {'c'}, column.getBytes(UTF_8), value.getBytes(UTF_8)));
      coverage.mutate(put);
    }
    assertThatThrownBy(() -> table.add(List.of(window(1, "a", "*")), Map.of("r", "any"), NOW))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("would prove nothing: more than 10000 windows");
    assertThat(windows()).hasSize(CoverageReader.MAX_WINDOWS);
    coverage.mutate(
        new Put("zzz".getBytes(UTF_8)).addColumn(new byte[] {'c'}, new byte[] {'a'}, new byte[0]));
    assertThatThrownBy(this::windows).hasMessageContaining("row zzz: its kind must be known");
  }

  @Test
  void masksAreReadBackAndCounted() throws Exception {
    String column = CoverageRows.maskColumn(CoverageMask.Kind.LOST, FROM + DAY);
    table.mask(
        Map.of(CoverageRows.maskRow(FROM, "m"), column, CoverageRows.maskRow(FROM, "*"), column));
    assertThat(table.maskRows()).isEqualTo(2);
    Coverage read = table.read(Map.of("1h", "r"), NOW);
    assertThat(read.reason()).isEmpty();
    assertThat(read.masks()).extracting(CoverageMask::metric).containsExactly("*", "m");
    assertThat(read.masks()).extracting(CoverageMask::to).containsOnly(FROM + DAY);
  }

  @Test
  void windowsThatSayNothingMoreGo() throws Exception {
    add(List.of(window(0, "a", "web.*"), window(1, "b", "*")));
    add(List.of(window(2, "expired", "*").expiring((FROM + 4 * DAY) * 1000 - 1)));
    assertThat(windows()).containsExactly("a", "b", "expired");
    add(List.of(window(0, "c", "*"), window(1, "d", "web.*"), window(3, "e", "*")));
    assertThat(windows()).containsExactly("c", "b", "e");
  }

  private static TimeRanges times(CoverageWindow window, long fromDay, long toDay) {
    return TimeRanges.of(window.from() * 1000, window.to() * 1000)
        .intersect(TimeRanges.of((FROM + fromDay * DAY) * 1000, (FROM + toDay * DAY) * 1000));
  }

  private List<String> ranges() throws Exception {
    return table.windows().stream()
        .map(each -> (each.from() - FROM) / DAY + " " + (each.to() - FROM) / DAY)
        .toList();
  }

  @Test
  void aMarkHasTheTimeOfHBase() throws Exception {
    assertThat(table.markedAt("r")).isZero();
    long before = time.addAndGet(1000);
    String unused = table.mark("default:r");
    assertThat(table.markedAt("default:r")).isBetween(before, time.get());
  }

  @Test
  void aDayIsCutOutOfALongWindow() throws Exception {
    CoverageWindow week =
        CoverageWindow.of(
            "1h", FROM, FROM + 7 * DAY, "a", "r", (FROM + 7 * DAY) * 1000, "*", "a report");
    Map<String, String> marks = Map.of("r", table.mark("r"));
    table.add(List.of(week.full(FROM * 1000)), marks, NOW);
    try (CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage")) {
      assertThat(cleaner.remove(Set.of(), found -> TimeRanges.none())).isEmpty();
      assertThat(cleaner.remove(Set.of(), found -> times(found.row(), 2, 3))).hasSize(1);
      assertThat(ranges()).containsExactly("0 2", "3 7");
      assertThat(table.windows()).allMatch(window -> window.fullAsOf() == FROM * 1000);
      // Who has looked before writes nothing more.
      assertThatThrownBy(() -> table.add(List.of(week), marks, NOW))
          .hasMessageContaining("another program has written or removed windows");
      assertThat(cleaner.remove(Set.of(), found -> times(found.row(), 0, 1))).hasSize(1);
      assertThat(cleaner.remove(Set.of(), found -> times(found.row(), 6, 9))).hasSize(1);
      assertThat(ranges()).containsExactly("1 2", "3 6");
      assertThat(cleaner.remove(Set.of(), found -> times(found.row(), 0, 9))).hasSize(2);
      assertThat(windows()).isEmpty();
    }
  }

  /** Its run has looked for its rollups before others were stored. */
  @Test
  void whoHasLookedBeforeARemovalAddsNothing() throws Exception {
    Map<String, String> marks = Map.of("r", table.mark("r"));
    try (CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage")) {
      assertThat(cleaner.remove(Set.of("default:r"), found -> times(found.row(), 0, 9))).isEmpty();
    }
    assertThatThrownBy(() -> table.add(List.of(window(0, "a", "*")), marks, NOW))
        .hasMessageContaining("another program has written or removed windows");
    assertThat(windows()).isEmpty();
  }

  /** Before and after each call of the writer to HBase another program removes a day. */
  @Test
  void aWriterAtTheTimeOfARemovalBringsNothingBack() throws Exception {
    long asOf = NOW - 3_600_000;
    CoverageWindow refresh =
        CoverageWindow.of("1h", FROM, FROM + 2 * DAY, "c", "r", asOf, "*", "a report");
    List<CoverageWindow> added =
        List.of(window(2, "c", "*").raised(asOf, "e"), refresh.refreshing(0));
    boolean met = true;
    for (int step = 0; met; step++) {
      assertThat(step).isLessThan(500);
      try (CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage")) {
        List<CoverageWindow> unused =
            cleaner.remove(Set.of("r"), found -> times(found.row(), 0, 9));
        long full = FROM * 1000;
        add(List.of(window(0, "a", "*").full(full), window(1, "b", "*").full(full)));
        Map<String, String> marks = Map.of("r", table.mark("r"));
        event = () -> cleaner.remove(Set.of("r"), found -> times(found.row(), 1, 2));
        calls = step;
        table.add(added, marks, NOW);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("another program has written or removed windows");
      }
      met = calls < 0;
      List<Long> hours = asOf();
      if (met) {
        assertThat(hours.subList(24, 48)).as("step %s", step).containsOnly(Coverage.NOT_PROVEN);
        assertThat(hours.subList(0, 23)).as("step %s", step).doesNotContain(Coverage.NOT_PROVEN);
      }
    }
  }

  @Test
  void aRefreshRaisesWindowsAndHasNoRow() throws Exception {
    add(List.of(window(0, "a", "*"), window(1, "b", "*")));
    long asOf = (FROM + 3 * DAY) * 1000;
    CoverageWindow refresh =
        CoverageWindow.of("1h", 0, FROM + 2 * DAY, "c", "r", asOf, "*", "a report");
    add(List.of(refresh.refreshing((FROM + DAY) * 1000 + 1)));
    assertThat(windows()).containsExactly("a", "b");
    assertThat(table.windows().get(0).asOf()).as("read before").isEqualTo((FROM + DAY) * 1000);
    assertThat(table.windows().get(1).asOf()).isEqualTo(asOf);
    assertThat(table.windows().get(1).fullAsOf()).isEqualTo((FROM + 2 * DAY) * 1000);
  }

  /** Its rollup table had another name when the same writer added its windows first. */
  @Test
  void aRowOfAnotherTableHasAnotherKey() throws Exception {
    CoverageWindow window = window(0, "a", "*");
    CoverageWindow other =
        CoverageWindow.of("1h", FROM, FROM + DAY, "a", "q", window.asOf(), "*", "a report");
    coverage.mutate(CoverageTable.row(other));
    add(List.of(window));
    assertThat(table.windows())
        .extracting(each -> each.table() + " " + each.writer())
        .containsExactly("q a", "r a.2");
  }

  /** Before and after each call of a writer another one writes its row, or one that it removes. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void whatAnotherProgramWritesStays(String writer) throws Exception {
    CoverageWindow newer = window(0, writer, "*").raised(NOW - 1, "another report");
    boolean met = true;
    for (int step = 0; met; step++) {
      assertThat(step).isLessThan(500);
      try (CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage")) {
        List<CoverageWindow> unused =
            cleaner.remove(Set.of("r"), found -> times(found.row(), 0, 9));
      }
      add(List.of(window(0, "a", "web.*")));
      Map<String, String> marks = Map.of("r", table.mark("r"));
      event = () -> coverage.mutate(CoverageTable.row(newer));
      calls = step;
      try {
        table.add(List.of(window(0, "b", "*")), marks, NOW);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("another program has written or removed windows");
      }
      met = calls < 0;
      calls = Integer.MAX_VALUE;
      if (met) {
        assertThat(table.windows())
            .as("step %s", step)
            .extracting(CoverageWindow::evidence)
            .contains("another report");
      }
    }
  }

  @Test
  void windowsOfATableThatWasNotMarkedStayAsTheyAre() throws Exception {
    long asOf = (FROM + 3 * DAY) * 1000;
    for (int day = 0; day < 2; day++) {
      long from = FROM + day * DAY;
      CoverageWindow other =
          CoverageWindow.of("1h", from, from + DAY, "o" + day, "q", asOf, "*", "a report");
      coverage.mutate(CoverageTable.row(other));
    }
    add(List.of(window(0, "a", "*").raised(asOf, "e"), window(1, "b", "*")));
    assertThat(windows()).containsExactlyInAnyOrder("a", "o0", "o1", "b");
  }

  @Test
  void whatWasLostAndIsFoundIsUnmasked() throws Exception {
    CoverageWindow window = window(0, "a", "*");
    add(List.of(window));
    Put masks = new Put(CoverageRows.maskRow(FROM, "m").getBytes(UTF_8));
    for (String column : List.of("late/0A", "lost/0A", "lost/*", "lost/*/" + (FROM + 2 * DAY))) {
      masks.addColumn(new byte[] {'c'}, column.getBytes(UTF_8), new byte[0]);
    }
    coverage.mutate(masks);
    RollupConfig config =
        RollupConfig.parse(
            ("{'aggregationIds':{'sum':0,'count':1,'p99':7},'intervals':[{'table':'t',"
                    + "'preAggregationTable':'t','interval':'1m','rowSpan':'1h',"
                    + "'defaultInterval':true},{'table':'r','preAggregationTable':'r',"
                    + "'interval':'1h','rowSpan':'1d'}]}")
                .replace('\'', '"'));
    assertThat(table.deleteFoundMasks(config, List.of(window), 0, NOW)).isZero();
    table.upgrade("3");
    CoverageWindow ofP99 = ofLevel(window, "1h.p99");
    coverage.mutate(CoverageTable.row(ofP99));
    assertThat(table.deleteFoundMasks(config, List.of(window), NOW, NOW)).isZero();
    coverage.mutate(new Delete(CoverageTable.row(ofP99).getRow()).addFamily(new byte[] {'c'}));
    assertThat(table.deleteFoundMasks(config, List.of(window), NOW, NOW)).isEqualTo(1);
    assertThat(table.read(Map.of("1h", "r"), NOW).masks())
        .extracting(mask -> mask.kind() + " " + (mask.to() - FROM) + " " + mask.series())
        .containsExactlyInAnyOrder("LATE 3600 1", "LOST 3600 0", "LOST " + 2 * DAY + " 0");
  }

  /** As of when each hour of a metric is proven. */
  private List<Long> asOf() throws IOException {
    calls = Integer.MAX_VALUE;
    Coverage read = table.read(Map.of("1h", "r"), NOW);
    assertThat(read.reason()).isEmpty();
    List<Long> times = new ArrayList<>();
    for (long hour = FROM * 1000; hour < (FROM + 4 * DAY) * 1000; hour += 3_600_000) {
      times.add(read.asOf("1h", 3_600_000, "m", hour, hour + 3_600_000));
    }
    return times;
  }

  private interface Change {
    void change() throws IOException, CoverageRefusedException;
  }

  /** Dies at each call; returns after the first time that it does not. */
  private void dieEverywhere(Change change) throws Exception {
    List<Long> before = asOf();
    List<List<Long>> found = new ArrayList<>();
    boolean died = true;
    for (int left = 0; died; left++) {
      assertThat(left).isLessThan(500);
      calls = left;
      died = false;
      try {
        change.change();
      } catch (IOException e) {
        assertThat(e).hasMessage("died");
        died = true;
      }
      found.add(asOf());
    }
    List<Long> after = found.get(found.size() - 1);
    for (List<Long> each : found) {
      for (int hour = 0; hour < after.size(); hour++) {
        assertThat(each.get(hour)).isLessThanOrEqualTo(Math.max(before.get(hour), after.get(hour)));
      }
    }
  }

  @Test
  void aWriterThatDiesClaimsNothingMore() throws Exception {
    add(List.of(window(0, "a", "*"), window(1, "b", "*"), window(2, "c", "*")));
    long asOf = NOW - 3_600_000;
    CoverageWindow refresh =
        CoverageWindow.of(
            "1h", FROM + DAY / 2, FROM + 5 * DAY / 2, "d", "r", asOf, "*", "a report");
    List<CoverageWindow> windows =
        List.of(window(3, "d", "*").raised(asOf, "e"), refresh.refreshing(0));
    dieEverywhere(() -> add(windows));
    assertThat(asOf()).contains(asOf);
    // Only the last hour of day 2 was read too early.
    assertThat(asOf().stream().filter(each -> each == Coverage.NOT_PROVEN)).hasSize(1);
    try (CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage")) {
      dieEverywhere(
          () ->
              assertThat(cleaner.remove(Set.of(), found -> times(found.row(), 1, 2))).isNotNull());
    }
    assertThat(asOf().stream().filter(each -> each == Coverage.NOT_PROVEN)).hasSize(25);
  }

  private static CoverageFloor floor(long day, String metrics) {
    long before = FROM + day * DAY;
    return new CoverageFloor(CoverageFloor.RAW, "web", before, metrics, "proof of " + day, NOW);
  }

  private long rawFloor() throws IOException {
    return table.read(Map.of("1h", "r"), NOW).floor(CoverageFloor.RAW, "web.a");
  }

  @Test
  void aFloorIsRaisedAndLowered() throws Exception {
    assertThat(table.canUpgrade("2")).isTrue();
    assertThat(table.upgrade()).isTrue();
    assertThat(table.canUpgrade("2")).isFalse();
    assertThat(table.upgrade()).isFalse();
    table.raise(floor(1, "web.*"), NOW);
    assertThat(rawFloor()).isEqualTo(FROM + DAY);
    table.raise(floor(2, "web.*"), NOW);
    table.raise(floor(1, "web.*"), NOW);
    assertThat(rawFloor()).as("only lower() lowers it").isEqualTo(FROM + 2 * DAY);
    CoverageFloor found = table.floors().get(0);
    assertThat(table.knownFloors(NOW))
        .extracting(CoverageFloor::before)
        .containsExactly(FROM + 2 * DAY);
    table.lower(found, floor(1, "web.*"));
    assertThat(rawFloor()).isEqualTo(FROM + DAY);
    assertThat(table.floorsChanged("raw")).isEqualTo(time.get());
    assertThat(table.floorsChanged("1h")).isZero();
    assertThatThrownBy(() -> table.lower(found, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another program has changed the floor");
    CoverageFloor again =
        new CoverageFloor("raw", "web", FROM + DAY, "web.*", "of another program", NOW);
    CoverageFloor first = table.floors().get(0);
    table.lower(first, again);
    assertThatThrownBy(() -> table.lower(first, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another program has changed the floor");
    assertThat(table.floors()).hasSize(1);
    table.lower(again, null);
    assertThat(table.floors()).isEmpty();
  }

  @Test
  void anUnknownVersionIsNotRaised() throws Exception {
    coverage.mutate(
        new Put("format".getBytes(UTF_8))
            .addColumn(new byte[] {'c'}, "version".getBytes(UTF_8), new byte[] {'4'}));
    for (ThrowingCallable each :
        List.<ThrowingCallable>of(() -> table.canUpgrade("3"), table::upgrade)) {
      assertThatThrownBy(each)
          .isInstanceOf(CoverageRefusedException.class)
          .hasMessage("table memory must have the version 1, 2 or 3, found 4");
    }
  }

  private static CoverageWindow ofLevel(CoverageWindow of, String level) {
    return CoverageWindow.of(
        level, of.from(), of.to(), of.writer(), of.table(), of.asOf(), of.metrics(), of.evidence());
  }

  /** Programs of other releases would repair the four values alone, and delete the masks. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyATableOfTheThirdVersionGetsWindowsOfLevels(boolean hasFloors) throws Exception {
    if (hasFloors) {
      assertThat(table.upgrade()).isTrue();
    }
    CoverageWindow four = window(0, "a", "*");
    List<CoverageWindow> all = List.of(four, ofLevel(four, "1h.p99"));
    assertThat(table.hasLevels()).isFalse();
    assertThatThrownBy(() -> add(all))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessage(
            "table memory would prove nothing: row window/1h.p99/%s/a needs the version 3 of row"
                + " format, found %s",
            FROM, hasFloors ? "2" : "1");
    assertThat(windows()).isEmpty();
    assertThat(table.canUpgrade("3")).isTrue();
    assertThat(table.upgrade("3")).isTrue();
    assertThat(table.version()).isEqualTo("3");
    assertThat(table.hasLevels()).isTrue();
    for (String to : List.of("2", "3")) {
      assertThat(table.canUpgrade(to)).as(to).isFalse();
      assertThat(table.upgrade(to)).as(to).isFalse();
    }
    add(all);
    table.raise(floor(1, "web.*"), NOW);
    assertThat(table.windows())
        .extracting(CoverageWindow::interval)
        .containsExactlyInAnyOrder("1h", "1h.p99");
  }

  /** Each level by itself: its refreshes, its neighbours. */
  @Test
  void levelsAreRaisedAndJoinedByThemselves() throws Exception {
    table.upgrade("3");
    CoverageWindow first = window(0, "a", "*");
    CoverageWindow second = window(1, "b", "*");
    add(List.of(first, second, ofLevel(first, "1h.p99"), ofLevel(second, "1h.p99")));
    CoverageWindow refresh =
        CoverageWindow.of(
                "1h.p99", FROM, FROM + 2 * DAY, "c", "r", (FROM + 3 * DAY) * 1000, "*", "a report")
            .refreshing((FROM + DAY) * 1000);
    add(List.of(refresh));
    assertThat(table.windows())
        .extracting(each -> each.interval() + " " + (each.asOf() / 1000 - FROM) / DAY)
        .containsExactlyInAnyOrder("1h 1", "1h 2", "1h.p99 3", "1h.p99 3");
  }

  /** A version between is passed. */
  @Test
  void twoProgramsRaiseTheVersion() throws Exception {
    add(List.of(window(0, "a", "*")));
    event =
        () ->
            coverage.mutate(
                new Put("format".getBytes(UTF_8))
                    .addColumn(new byte[] {'c'}, "version".getBytes(UTF_8), new byte[] {'2'}));
    calls = 2;
    assertThat(table.upgrade("3")).isTrue();
    assertThat(calls).isNegative();
    assertThat(table.version()).isEqualTo("3");
    assertThat(windows()).containsExactly("a");
  }

  /** Programs that do not know floors read a table of the first version. */
  @Test
  void aTableOfTheFirstVersionGetsNoFloor() throws Exception {
    add(List.of(window(0, "a", "*")));
    assertThatThrownBy(() -> table.raise(floor(1, "*"), NOW))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("must have the version 2, found 1: run rollup-job coverage upgrade");
    assertThat(table.floors()).isEmpty();
    assertThat(table.upgrade()).isTrue();
    assertThat(windows()).as("the rows stay").containsExactly("a");
    add(List.of(window(1, "b", "*")));
    assertThat(windows()).containsExactly("a", "b");
  }

  /** Readers that cannot read the table take it for the highest that may be. */
  @Test
  void aFloorOfYesterdayOrTheFutureIsNotWritten() throws Exception {
    table.upgrade();
    table.raise(floor(4, "web.*"), NOW);
    for (long day : new long[] {5, 6, 365}) {
      assertThatThrownBy(() -> table.raise(floor(day, "web.*"), NOW))
          .isInstanceOf(CoverageRefusedException.class)
          .hasMessage(
              "floor floor/raw/web must not be above the midnight before the last one, %s, found"
                  + " %s",
              Instant.ofEpochSecond(FROM + 4 * DAY), Instant.ofEpochSecond(FROM + day * DAY));
    }
    assertThat(rawFloor()).isEqualTo(FROM + 4 * DAY);
  }

  @Test
  void aFloorThatNoReaderTakesIsNotWritten() throws Exception {
    table.upgrade();
    table.raise(floor(1, "web.*"), NOW);
    assertThatThrownBy(() -> table.raise(floor(2, "*"), NOW))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("must be of the metrics *, found web.*");
    assertThatThrownBy(
            () ->
                table.raise(
                    new CoverageFloor("raw", "web", FROM + 1, "web.*", "a proof", NOW), NOW))
        .hasMessageContaining("before must be a midnight");
    coverage.mutate(
        new Put("zzz".getBytes(UTF_8)).addColumn(new byte[] {'c'}, new byte[] {'a'}, new byte[0]));
    assertThatThrownBy(() -> table.raise(floor(2, "web.*"), NOW))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("row zzz: its kind must be known");
    assertThat(rawFloor()).isEqualTo(FROM + DAY);
    assertThat(table.knownFloors(NOW)).hasSize(1);
    coverage.mutate(
        new Put(CoverageRows.FORMAT_ROW.getBytes(UTF_8))
            .addColumn(new byte[] {'c'}, "version".getBytes(UTF_8), new byte[] {'4'}));
    assertThatThrownBy(() -> table.knownFloors(NOW))
        .isInstanceOf(CoverageRefusedException.class)
        .hasMessageContaining("the floors of table memory must be readable, found: row ");
  }

  private List<String> lines() throws Exception {
    return table.windows().stream()
        .map(
            window ->
                "%s %s to %s, %s, as of %s"
                    .formatted(
                        window.writer(),
                        (window.from() - FROM) / DAY,
                        (window.to() - FROM) / DAY,
                        window.metrics(),
                        (window.asOf() - FROM * 1000) / DAY / 1000))
        .toList();
  }

  @Test
  void nothingIsAddedBelowAFloor() throws Exception {
    add(List.of(window(0, "a", "*")));
    table.upgrade();
    table.raise(floor(2, "web.*"), NOW);
    for (CoverageWindow below :
        List.of(window(1, "b", "*"), window(1, "b", "*").refreshing(0), window(1, "b", "web.x"))) {
      assertThatThrownBy(() -> add(List.of(window(2, "c", "*"), below)))
          .isInstanceOf(CoverageRefusedException.class)
          .hasMessageContaining("must not begin below the floor of its metrics " + below.metrics());
      assertThat(table.aboveFloors(List.of(below))).isEmpty();
    }
    add(List.of(window(1, "d", "app.*"), window(2, "e", "*")));
    assertThat(lines())
        .containsExactlyInAnyOrder(
            "a 0 to 1, *, as of 1", "d 1 to 2, app.*, as of 2", "e 2 to 3, *, as of 3");
  }

  @Test
  void whatBeginsBelowAFloorIsCut() throws Exception {
    table.upgrade();
    table.raise(floor(1, "web.*"), NOW);
    table.raise(new CoverageFloor("1h", "web", FROM + 2 * DAY, "web.*", "a proof", NOW), NOW);
    table.raise(new CoverageFloor("1d", "web", FROM + 3 * DAY, "web.*", "a proof", NOW), NOW);
    CoverageWindow days = window(2, "a", "*").part("a", FROM, FROM + 3 * DAY, "*").refreshing(7);
    assertThat(table.aboveFloors(List.of(days)))
        .singleElement()
        .satisfies(
            above -> {
              assertThat(above.from()).as("the floor of 1h").isEqualTo(FROM + 2 * DAY);
              assertThat(above.to()).isEqualTo(FROM + 3 * DAY);
              assertThat(above.since()).isEqualTo(7);
            });
    CoverageWindow others = days.part("a", FROM, FROM + 3 * DAY, "app.*");
    assertThat(table.aboveFloors(List.of(others)))
        .extracting(CoverageWindow::from)
        .containsExactly(FROM);
  }

  /** A refresh, and a second look of the same run that proves less of the time above. */
  @Test
  void windowsBelowAFloorStay() throws Exception {
    CoverageWindow first = window(2, "run", "*").part("run", FROM, FROM + 3 * DAY, "*");
    add(List.of(first));
    table.upgrade();
    table.raise(floor(1, "web.*"), NOW);
    CoverageWindow refresh =
        window(3, "late", "*").part("late", FROM, FROM + 3 * DAY, "*").refreshing(first.asOf());
    add(table.aboveFloors(List.of(refresh)));
    assertThat(lines())
        .containsExactlyInAnyOrder("run 0 to 1, *, as of 3", "run 1 to 3, *, as of 4");
    add(
        table.aboveFloors(
            List.of(
                first.part("run", FROM + 2 * DAY, FROM + 3 * DAY, "*"),
                first.part("run.own", FROM + DAY, FROM + 2 * DAY, "app.x"))));
    assertThat(lines()).contains("run 0 to 1, *, as of 3");
  }

  /** The rollups of the metrics of a floor are the only data: nothing would prove them again. */
  @Test
  void aCleanerKeepsTheMetricsOfFloorsBelowThem() throws Exception {
    add(List.of(window(0, "a", "*,!web.z"), window(1, "b", "*"), window(0, "c", "web.x,web.y")));
    add(List.of(window(0, "d", "app.*"), window(0, "e", "app.x,web.x")));
    table.upgrade();
    table.raise(floor(1, "web.*"), NOW);
    CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage");
    CoverageCleaner.Cuts all =
        found -> TimeRanges.of(found.row().from() * 1000, found.row().to() * 1000);
    List<CoverageWindow> removed = cleaner.removeAboveFloors(List.of("r"), all);
    assertThat(lines())
        .containsExactlyInAnyOrder(
            "a.floor0 0 to 1, web.*,!web.z, as of 1",
            "c 0 to 1, web.x,web.y, as of 1",
            "e.floor0 0 to 1, web.x, as of 1");
    assertThat(removed).extracting(CoverageWindow::writer).containsExactly("a", "d", "e", "b");
    assertThat(cleaner.remove(List.of("r"), all)).hasSize(3);
    assertThat(lines()).isEmpty();
    assertThat(rawFloor()).as("floors stay").isEqualTo(FROM + DAY);
  }

  /** {@code tiers apply} does not wait for who removes windows. */
  @Test
  void aFloorThatRisesMeanwhileCounts() throws Exception {
    add(List.of(window(0, "a", "app.*"), window(1, "b", "*")));
    table.upgrade();
    CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage");
    List<String> looks = new ArrayList<>();
    cleaner.removeAboveFloors(
        List.of("r"),
        found -> {
          looks.add(found.row().writer());
          if (found.row().writer().equals("b") && !looks.contains("second")) {
            raise(2);
            looks.add("second");
            return TimeRanges.none();
          }
          return TimeRanges.of(found.row().from() * 1000, found.row().to() * 1000);
        });
    assertThat(looks).startsWith("a", "b", "second");
    assertThat(lines()).containsExactly("b.floor0 1 to 2, web.*, as of 2");
  }

  private void raise(long day) {
    try {
      table.raise(floor(day, "web.*"), NOW);
    } catch (IOException | CoverageRefusedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void withABrokenFloorNothingIsCut() throws Exception {
    add(List.of(window(0, "a", "*")));
    coverage.mutate(
        new Put("floor/raw/web".getBytes(UTF_8))
            .addColumn(new byte[] {'c'}, "before".getBytes(UTF_8), new byte[0]));
    CoverageCleaner cleaner = new CoverageCleaner(connection, "coverage");
    assertThatThrownBy(
            () -> cleaner.removeAboveFloors(List.of("r"), found -> times(found.row(), 0, 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the floors of table memory must be readable, found row floor/raw");
    assertThat(cleaner.windows()).extracting(found -> found.row().writer()).containsExactly("a");
  }
}
