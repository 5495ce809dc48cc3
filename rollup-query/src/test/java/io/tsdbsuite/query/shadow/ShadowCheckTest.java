package io.tsdbsuite.query.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import net.opentsdb.stats.StatsCollector;
import org.junit.jupiter.api.Test;

/** Checks of a bucket whose values the test sets; the background is a queue. */
class ShadowCheckTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;
  private static final byte[] METRIC = {0, 0, 1};

  /** Of each series the sum of the rollup and of the raw points; null: none. */
  private final Map<Integer, Double> rollups = new HashMap<>();

  private final Map<Integer, Double> raw = new HashMap<>();
  private final List<Integer> read = new ArrayList<>();
  private final Set<String> buckets = new HashSet<>();
  private final List<Integer> found = new ArrayList<>();
  private final Deque<Runnable> background = new ArrayDeque<>();
  private final List<Long> waits = new ArrayList<>();
  private long proven = 5;
  private long floor;
  private RollupFunction function = RollupFunction.SUM;
  private long cellsOfSeries = 100;
  private int pointsOfSeries = 1;
  private boolean exact = true;
  private boolean answers = true;
  private boolean load;
  private long now;
  private ShadowCheck check = check(1, 0);

  private ShadowCheck check(long oneIn, long ttl) {
    ShadowCheck made =
        new ShadowCheck(
            new ShadowSettings(oneIn, 30_000, ttl),
            new Reader(),
            bucket -> proven,
            Map.of("1d", "t1d"),
            (millis, work) -> {
              waits.add(millis);
              background.add(work);
            },
            Seed.random(),
            () -> now,
            () -> 100 * DAY);
    made.pauseWhile(() -> load);
    return made;
  }

  private final class Reader implements BucketReader {
    @Override
    public List<byte[]> rawSeries(
        ShadowBucket bucket, long hour, byte[] after, int salt, int limit) {
      assertThat(hour * 1000).isBetween(bucket.from(), bucket.to() - HOUR);
      assertThat(hour % 3600).isZero();
      List<byte[]> series = new ArrayList<>();
      found.forEach(each -> series.add(tsuid(each)));
      return series;
    }

    @Override
    public Optional<SeriesValues> read(ShadowBucket bucket, byte[] tsuid, long maxCells)
        throws TimeoutException {
      if (!answers) {
        throw new TimeoutException("no answer");
      }
      now += 10;
      buckets.add(bucket.toString());
      int series = tsuid[8];
      read.add(series);
      return exact
          ? Optional.of(
              new SeriesValues(
                  tsuid, value(rollups.get(series)), points(raw.get(series)), cellsOfSeries, 7))
          : Optional.empty();
    }

    private BucketValue value(Double sum) {
      BucketValue value = new BucketValue(function);
      if (sum != null) {
        value.add(sum, 1);
      }
      return value;
    }

    private BucketValue points(Double sum) {
      BucketValue value = value(sum);
      for (int i = 1; i < pointsOfSeries; i++) {
        value.add(sum, 1);
      }
      return value;
    }

    @Override
    public String name(ShadowBucket bucket, byte[] tsuid) {
      return "m{host=" + tsuid[8] + "}";
    }
  }

  private static byte[] tsuid(int series) {
    return new byte[] {0, 0, 1, 0, 0, 1, 0, 0, (byte) series};
  }

  private void store(int series, Double rollup, Double points) {
    rollups.put(series, rollup);
    raw.put(series, points);
  }

  /** A query over these series, hours and three days, that has been answered. */
  private void query(int... series) {
    QueryPlan plan =
        QueryPlan.cheapest(
            20 * DAY - 2 * HOUR,
            23 * DAY + HOUR,
            Buckets.every(DAY),
            List.of(
                new QueryPlan.Table("1h", HOUR, TimeRanges.of(0, 50 * DAY)),
                new QueryPlan.Table("1d", DAY, TimeRanges.of(0, 50 * DAY))),
            (table, from, to) -> table == null ? to - from : (to - from) / (double) table.width(),
            100);
    assertThat(plan.pieces()).hasSize(3);
    if (check.choose()) {
      check
          .of(
              "m",
              METRIC,
              RollupFunction.SUM,
              plan.pieces(),
              floor,
              series.length,
              i -> tsuid(series[i]))
          .run();
    }
  }

  private void work() {
    while (!background.isEmpty()) {
      background.remove().run();
    }
  }

  private Map<String, Long> stats() {
    Map<String, Long> stats = new TreeMap<>();
    check.collectStats(
        new StatsCollector("tsd") {
          @Override
          public void record(String name, long value, String tag) {
            if (value != 0) {
              stats.put(
                  name.substring("rollup_query.shadow.".length()) + (tag == null ? "" : " " + tag),
                  value);
            }
          }
        },
        "rollup_query.");
    return stats;
  }

  @Test
  void equalValuesAreCounted() {
    store(1, 5.0, 5.0);
    store(2, 6.0, 6.0 + 1e-12);
    query(1, 2);
    assertThat(read).isEmpty();
    work();
    assertThat(read).containsExactlyInAnyOrder(1, 2);
    assertThat(stats()).containsOnly(Map.entry("checked", 1L), Map.entry("series", 2L));
    assertThat(check.last()).hasSize(1);
    assertThat(check.differences()).isEmpty();
  }

  @Test
  void anyDayOfTheWidestTableIsChosen() {
    store(1, 5.0, 5.0);
    for (int i = 0; i < 100; i++) {
      query(1);
      work();
      now += 100_000;
    }
    assertThat(buckets)
        .containsExactlyInAnyOrder(
            "1d [" + 20 * DAY + ", " + 21 * DAY + ") of m",
            "1d [" + 21 * DAY + ", " + 22 * DAY + ") of m",
            "1d [" + 22 * DAY + ", " + 23 * DAY + ") of m");
    assertThat(stats()).containsEntry("checked", 100L);
  }

  @Test
  void bucketsBelowTheFloorAreNotChecked() {
    store(1, 5.0, null);
    floor = 22 * DAY - HOUR;
    for (int i = 0; i < 100; i++) {
      query(1);
      work();
      now += 100_000;
    }
    assertThat(buckets).containsExactly("1d [" + 22 * DAY + ", " + 23 * DAY + ") of m");
    floor = 23 * DAY;
    query(1);
    work();
    assertThat(buckets).as("the next table").hasSize(2);
    floor = 23 * DAY + HOUR;
    query(1);
    work();
    assertThat(buckets).hasSize(2);
    assertThat(stats()).containsEntry("skipped reason=expired", 1L).doesNotContainKey("different");
  }

  @Test
  void aDifferenceThatStaysIsShown() {
    store(1, 5.0, 5.0);
    store(2, 1000.0, 6.0);
    query(1, 2);
    work();
    assertThat(waits).containsExactly(0L, 30_000L);
    assertThat(stats())
        .containsOnly(
            Map.entry("checked", 1L), Map.entry("different", 1L), Map.entry("series", 2L));
    Map<String, Object> shown = check.differences().get(0).fields();
    assertThat(shown)
        .containsEntry("outcome", "different")
        .containsEntry("interval", "1d")
        .containsEntry("table", "t1d")
        .containsEntry("series", 2)
        .containsEntry("different", 1)
        .containsEntry(
            "example",
            Map.of(
                "name",
                "m{host=2}",
                "rollup",
                "1000.0",
                "raw",
                "6.0",
                "asOf",
                5L,
                "rawWritten",
                7L));
    assertThat(check.differences().get(0).toString())
        .startsWith("rollup of 1d at 1970-01-2")
        .endsWith(
            " of m{host=2} in table t1d is 1000.0, raw data say 6.0 ([sum]; 1 of 2 series"
                + " differ)");
  }

  @Test
  void aSeriesThatHasNoRollupAtAllIsFound() {
    store(1, 5.0, 5.0);
    store(3, null, 9.0);
    found.addAll(List.of(1, 3));
    query(1);
    work();
    assertThat(read).containsExactly(1, 3, 3);
    assertThat(stats()).containsEntry("different", 1L);
  }

  @Test
  void aQueryThatFoundNothingIsChecked() {
    store(3, null, 9.0);
    found.add(3);
    query();
    work();
    assertThat(stats()).containsEntry("different", 1L);
    found.clear();
    now += 100_000;
    query();
    work();
    assertThat(stats())
        .containsEntry("checked", 1L)
        .containsEntry("skipped reason=no_raw_data", 1L);
  }

  @Test
  void aMaskThatCameMeanwhileIsNoDifference() {
    store(1, 5.0, 6.0);
    query(1);
    background.remove().run();
    proven = Coverage.NOT_PROVEN;
    work();
    assertThat(stats())
        .containsOnly(Map.entry("series", 1L), Map.entry("skipped reason=not_proven", 1L));
    assertThat(check.differences()).isEmpty();
  }

  @Test
  void aValueThatChangesIsNoDifference() {
    store(1, 5.0, 6.0);
    store(2, 5.0, 6.0);
    query(1, 2);
    background.remove().run();
    // A point comes late, and the other series is repaired.
    raw.put(1, 7.0);
    rollups.put(2, 6.0);
    work();
    assertThat(stats()).containsEntry("skipped reason=changing", 1L).doesNotContainKey("different");
  }

  @Test
  void rawDataThatAreGoneAreNoDifference() {
    store(1, 5.0, null);
    query(1);
    work();
    assertThat(stats()).containsEntry("skipped reason=no_raw_data", 1L);

    check = check(1, 77 * DAY);
    int before = read.size();
    query(1);
    work();
    assertThat(stats()).containsOnly(Map.entry("skipped reason=expired", 1L));
    assertThat(read).hasSize(before);
  }

  @Test
  void pointsOfOneSeriesThatAreGoneAreADifference() {
    store(1, 5.0, null);
    store(2, 5.0, 5.0);
    query(1, 2);
    work();
    assertThat(stats()).containsEntry("different", 1L);
  }

  @Test
  void oneCheckAtATimeAndAHundredthOfTheTime() {
    store(1, 5.0, 5.0);
    query(1);
    query(1);
    assertThat(background).hasSize(1);
    work();
    assertThat(now).isEqualTo(10);
    now += 989;
    query(1);
    assertThat(background).isEmpty();
    assertThat(stats()).containsEntry("skipped reason=busy", 2L);
    now += 1;
    query(1);
    work();
    assertThat(stats()).containsEntry("checked", 2L);
  }

  @Test
  void noMoreThanSomeSeriesAndCellsAreRead() {
    int[] many = new int[100];
    Arrays.setAll(many, i -> i);
    Arrays.stream(many).forEach(each -> store(each, 5.0, 5.0));
    query(many);
    work();
    assertThat(read).hasSize(10).doesNotHaveDuplicates();

    now += 100_000;
    cellsOfSeries = 150_000;
    query(many);
    work();
    assertThat(stats()).containsEntry("checked", 2L).containsEntry("series", 11L);

    now += 100_000;
    cellsOfSeries = 250_000;
    query(many);
    work();
    assertThat(stats()).containsEntry("skipped reason=too_large", 1L);
  }

  /** A compacted cell has thousands of points, and a percentile keeps them. */
  @Test
  void pointsOfPercentilesCountAsCells() {
    function = RollupFunction.P99;
    cellsOfSeries = 24;
    pointsOfSeries = 150_000;
    store(1, 5.0, 5.0);
    store(2, 5.0, 5.0);
    query(1, 2);
    work();
    assertThat(stats()).containsEntry("checked", 1L).containsEntry("series", 1L);

    now += 100_000;
    pointsOfSeries = 250_000;
    query(1, 2);
    work();
    assertThat(stats()).containsEntry("skipped reason=too_large", 1L);
  }

  @Test
  void checksEndWhenQueriesNeedTheRoom() {
    store(1, 5.0, 5.0);
    load = true;
    query(1);
    assertThat(background).isEmpty();
    load = false;
    query(1);
    load = true;
    work();
    assertThat(read).isEmpty();
    assertThat(stats()).containsOnly(Map.entry("skipped reason=load", 2L));
  }

  @Test
  void whatCannotBeReadIsSkipped() {
    answers = false;
    query(1);
    work();
    assertThat(stats()).containsOnly(Map.entry("skipped reason=failed", 1L));
    answers = true;
    exact = false;
    query(1);
    work();
    assertThat(stats()).containsEntry("skipped reason=not_exact", 1L);
  }

  @Test
  void aboutOneInAThousandIsChosen() {
    check = check(1000, 0);
    int chosen = 0;
    for (int i = 0; i < 100_000; i++) {
      chosen += check.choose() ? 1 : 0;
    }
    assertThat(chosen).isBetween(50, 200);
    check = check(0, 0);
    for (int i = 0; i < 1000; i++) {
      assertThat(check.choose()).isFalse();
    }
  }

  @Test
  void theListsAreBounded() {
    store(1, 5.0, 6.0);
    for (int i = 0; i < 50; i++) {
      query(1);
      work();
      now += 100_000;
    }
    assertThat(stats()).containsEntry("different", 50L);
    assertThat(check.last()).hasSize(20);
    assertThat(check.differences()).hasSize(20);
  }
}
