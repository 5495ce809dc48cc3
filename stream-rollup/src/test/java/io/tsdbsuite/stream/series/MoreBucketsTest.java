package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Percentiles, first, last and sketches of a stream: docs/stream-rollup.md. */
class MoreBucketsTest {
  private static final String CONFIG =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 7, "p75": 8, "p90": 9,
        "p95": 10, "p99": 11, "p999": 12, "first": 13, "last": 14},
       "suite": {%s,
        "histogramTables": {"10m": "h-10m", "1h": "h-1h", "6h": "h-6h", "1d": "h-1d"}},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
         "defaultInterval": true},
        {"table": "10m", "preAggregationTable": "agg-10m", "interval": "10m", "rowSpan": "1d"},
        {"table": "1h", "preAggregationTable": "agg-1h", "interval": "1h", "rowSpan": "1d"},
        {"table": "6h", "preAggregationTable": "agg-6h", "interval": "6h", "rowSpan": "1n"},
        {"table": "1d", "preAggregationTable": "agg-1d", "interval": "1d", "rowSpan": "1y"}]}
      """;

  private static final String ALL = "p50,p75,p90,p95,p99,p999,first,last";
  private static final String HISTOGRAMS =
      ", \"histograms\": [{\"metrics\": \"m\", \"intervals\": \"10m,1h,6h,1d\"}]";
  private static final String OTHER =
      "\"values\": [{\"metrics\": \"other\", \"intervals\": \"1h\", \"aggregators\": \"p99\"}]";
  private static final List<String> NAMES = SuiteConfig.NAMES;

  /** Midnight of 19 November 2025, UTC. */
  private static final int DAY = 1763510400;

  private static final int HOUR = 3600;

  /** With {@code intervals} of one entry of values. */
  private static StreamIntervals intervals(String valuesOf, String names, String more) {
    return intervals(
        "\"values\": [{\"metrics\": \"m\", \"intervals\": \"%s\", \"aggregators\": \"%s\"}]%s"
            .formatted(valuesOf, names, more));
  }

  private static StreamIntervals intervals(String suite) {
    RollupConfig config = RollupConfig.parse(CONFIG.formatted(suite));
    return intervals(config, config.suite());
  }

  private static StreamIntervals intervals(RollupConfig config, SuiteConfig suite) {
    return new StreamIntervals(
        List.of("10m", "1h", "6h", "1d").stream().map(config::interval).toList(),
        120,
        2400,
        suite,
        HistogramCodecs.NONE);
  }

  private static OneSeries at(int second, StreamIntervals intervals) {
    OneSeries series = new OneSeries(intervals);
    series.watermark(second);
    return series;
  }

  private static void add(OneSeries series, int second, double value) {
    series.add(
        second * 1000L, PointColumn.flags(false, true, 8), Double.doubleToRawLongBits(value));
  }

  private static byte[] sketch(double[] points) {
    BucketHistogram histogram = new BucketHistogram(HistogramCodecs.NONE);
    histogram.addPoints(points, 0, points.length);
    byte[] bytes = histogram.bytes();
    if (bytes == null) {
      throw new AssertionError("too wide");
    }
    return bytes;
  }

  /** As rollup-job and the repairs of kafka-ingest compute it. */
  private static double further(String name, double[] points) {
    double[] sorted = points.clone();
    Arrays.sort(sorted);
    return switch (name) {
      case "first" -> points[0];
      case "last" -> points[points.length - 1];
      default -> Percentiles.of(sorted, 0, sorted.length, Percentiles.rank(name));
    };
  }

  private static void hasFurther(RollupValues found, double... points) {
    assertThat(found.count()).isEqualTo(points.length);
    assertThat(found.names()).isEqualTo(NAMES);
    for (int i = 0; i < NAMES.size(); i++) {
      assertThat(Double.doubleToRawLongBits(found.further(i)))
          .as(NAMES.get(i))
          .isEqualTo(Double.doubleToRawLongBits(further(NAMES.get(i), points)));
    }
  }

  private static void hasSketch(RollupValues found, double... points) {
    assertThat(found.codec()).isEqualTo(HistogramCodecs.SKETCH);
    assertThat(found.histogram()).isEqualTo(sketch(points));
  }

  /** Points of two days, shuffled within the slack and replaced, with ties, signs and zeros. */
  @Test
  void valuesAndSketchesAreThoseOfTheBatch() {
    for (int round = 0; round < Seed.times(4, 40); round++) {
      Random random = new Random(Seed.random().nextLong() + round);
      OneSeries series = at(DAY, intervals("10m,1h", ALL, HISTOGRAMS));
      TreeMap<Long, Double> all = new TreeMap<>();
      int step = 1 + random.nextInt(120);
      for (int time = DAY + 1; time < DAY + 30 * HOUR; time += 1 + random.nextInt(step)) {
        series.watermark(time);
        long millis = time * 1000L + 1000L * random.nextInt(100);
        double value =
            switch (random.nextInt(4)) {
              case 0 -> random.nextInt(5);
              case 1 -> -random.nextInt(3) * 0.1;
              case 2 -> -0.0;
              default -> Math.exp(10 * random.nextGaussian());
            };
        series.add(millis, PointColumn.flags(true, true, 8), Double.doubleToRawLongBits(value));
        all.put(millis, value);
      }
      series.watermark(DAY + 4 * 86400);
      assertThat(series.moreDropped).isZero();
      assertThat(series.requests).isEmpty();
      assertThat(series.emitted).isEqualTo(series.values.size()).isGreaterThan(30);
      series.values.forEach(
          (bucket, found) -> {
            String interval = bucket.substring(0, bucket.indexOf(' '));
            long start = Long.parseLong(bucket.substring(bucket.indexOf(' ') + 1)) * 1000;
            long seconds =
                Map.of("10m", 600L, "1h", 3600L, "6h", 21600L, "1d", 86400L).get(interval);
            double[] points =
                all.subMap(start, start + seconds * 1000).values().stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            if (seconds <= HOUR) {
              hasFurther(found, points);
            } else {
              assertThat(found.names()).isEmpty();
            }
            hasSketch(found, points);
          });
      assertThat(series.more).isNull();
      assertThat(series.state).isNull();
    }
  }

  @Test
  void otherSeriesAreNotAskedForMore() {
    OneSeries other = at(DAY, intervals(OTHER));
    other.second(DAY + 1, 5);
    other.watermark(DAY + 3 * 86400);
    assertThat(other.values.get("1h " + DAY).names()).isEmpty();
    assertThat(other.loads + other.moreDropped).isZero();
  }

  /** A checkpoint of before this state, as of a series of the same hash. */
  @Test
  void bucketsOpenAtTheUpgradeLackMore() {
    OneSeries series = at(DAY, intervals("10m,1h", ALL, HISTOGRAMS));
    add(series, DAY + 1, 5);
    series.timer(DAY + 590);
    assertThat(series.more).isNotNull();
    series.more = null;
    add(series, DAY + 601, 7);
    add(series, DAY + HOUR, 9);
    series.watermark(DAY + 3 * 86400);
    assertThat(series.values.get("10m " + DAY).toString())
        .isEqualTo("sum=5.0 min=5.0 max=5.0 count=1");
    assertThat(series.values.get("1h " + DAY).toString())
        .isEqualTo("sum=12.0 min=5.0 max=7.0 count=2");
    hasFurther(series.values.get("10m " + (DAY + 600)), 7);
    hasFurther(series.values.get("1h " + (DAY + HOUR)), 9);
    hasSketch(series.values.get("1h " + (DAY + HOUR)), 9);
    // 10m, 1h, 6h and 1d.
    assertThat(series.moreDropped).isEqualTo(4);
    assertThat(series.requests).isEmpty();
  }

  /** Closed buckets have values of before; open ones have points, of which others can be made. */
  @Test
  void aChangedSuiteDropsWhatDoesNotFit() {
    OneSeries before = at(DAY, intervals("10m", "p50,first", ""));
    add(before, DAY + 1, 5);
    add(before, DAY + 601, 6);
    // The first bucket is closed, and waits for its turn.
    before.timer(DAY + 720);
    add(before, DAY + 650, 8);
    before.timer(DAY + 780);
    assertThat(before.emitted).isZero();
    OneSeries after = before.in(intervals("10m,1h", ALL, HISTOGRAMS));
    after.watermark(DAY + 3 * 86400);
    assertThat(after.values.get("10m " + DAY).names()).isEmpty();
    RollupValues open = after.values.get("10m " + (DAY + 600));
    hasFurther(open, 6, 8);
    hasSketch(open, 6, 8);
    assertThat(after.values.get("1h " + DAY).names()).isEmpty();
    // 10m, 1h, 6h, 1d.
    assertThat(after.moreDropped).isEqualTo(4);
    assertThat(after.more).isNull();
  }

  /** A job without suite in between leaves the state as it was. */
  @Test
  void pointsOfATimeWithoutSuiteAreMissed() {
    StreamIntervals selected = intervals("10m,1h", ALL, HISTOGRAMS);
    OneSeries before = at(DAY, selected);
    add(before, DAY + 1, 5);
    // The bucket of 10m is closed, and waits for its turn.
    before.timer(DAY + 730);
    byte[] more = before.more;
    OneSeries without =
        before.in(intervals(RollupConfig.parse(CONFIG.formatted(OTHER)), SuiteConfig.NONE));
    add(without, DAY + 700, 9);
    without.watermark(DAY + 1300);
    assertThat(without.values).containsOnlyKeys("10m " + DAY);
    assertThat(without.more).isNotNull().isEqualTo(more);
    OneSeries after = without.in(selected);
    add(after, DAY + 1301, 1);
    after.watermark(DAY + 3 * 86400);
    assertThat(after.values.get("10m " + (DAY + 600)).toString())
        .isEqualTo("sum=9.0 min=9.0 max=9.0 count=1");
    hasFurther(after.values.get("10m " + (DAY + 1200)), 1);
    assertThat(after.values.get("1h " + DAY).toString())
        .isEqualTo("sum=15.0 min=1.0 max=9.0 count=3");
    // 10m of 00:10, 1h, 6h and 1d.
    assertThat(after.moreDropped).isEqualTo(4);
    assertThat(after.more).isNull();
  }

  /** Of a sketch the points are not known any more. */
  @Test
  void aSketchIsNotTakenForPoints() {
    OneSeries before =
        at(DAY, intervals("\"histograms\": [{\"metrics\": \"m\", \"intervals\": \"1h\"}]"));
    int points = MoreBuckets.MOST_LOOSE + 2;
    for (int i = 0; i < points; i++) {
      add(before, DAY + i, i);
    }
    before.timer(DAY + 1000);
    OneSeries same = before.in(before.intervals);
    OneSeries after = before.in(intervals("1h", ALL, HISTOGRAMS));
    after.watermark(DAY + 2 * 86400);
    assertThat(after.values.get("1h " + DAY).names()).isEmpty();
    same.watermark(DAY + 2 * 86400);
    double[] all = new double[points];
    Arrays.setAll(all, i -> i);
    hasSketch(same.values.get("1h " + DAY), all);
    assertThat(same.moreDropped).isZero();
  }

  @Test
  void aBucketOfVeryManyPointsLacksMore() {
    OneSeries series = at(DAY, intervals("1h", "p99,last", HISTOGRAMS));
    double[] hour = new double[MoreBuckets.MOST_POINTS + 1];
    for (int i = 0; i < hour.length; i++) {
      hour[i] = i % 1000;
      series.watermark(DAY + i / 7);
      series.add(
          DAY * 1000L + 150L * i,
          PointColumn.flags(true, true, 8),
          Double.doubleToRawLongBits(hour[i]));
    }
    for (int i = 1; i < hour.length; i++) {
      series.add(
          (DAY + HOUR) * 1000L + 150L * i,
          PointColumn.flags(true, true, 8),
          Double.doubleToRawLongBits(i));
      series.watermark(DAY + HOUR + i / 7);
    }
    series.watermark(DAY + 3 * 86400);
    assertThat(series.values.get("1h " + DAY).names()).isEmpty();
    assertThat(series.values.get("1h " + DAY).codec()).isNull();
    assertThat(series.values.get("1h " + (DAY + HOUR)).names()).containsExactly("p99", "last");
    assertThat(series.values.get("1h " + (DAY + HOUR)).further(1))
        .isEqualTo(MoreBuckets.MOST_POINTS);
    assertThat(series.moreDropped).isEqualTo(1);
    // Sketches alone need no list of points.
    assertThat(series.values.get("1d " + DAY).count()).isEqualTo(2L * hour.length - 1);
    assertThat(series.values.get("1d " + DAY).codec()).isEqualTo(HistogramCodecs.SKETCH);
  }

  @Test
  void aSketchThatIsTooWideIsLackedAlone() {
    OneSeries series = at(DAY, intervals("1h", ALL, HISTOGRAMS));
    double[] points = new double[3500];
    for (int i = 0; i < points.length; i++) {
      points[i] = Math.pow(1.05, i - 5000.0);
    }
    double[] more = new double[1000];
    for (int i = 0; i < points.length; i++) {
      series.watermark(DAY + i);
      add(series, DAY + i, points[i]);
    }
    for (int i = 0; i < more.length; i++) {
      more[i] = -Math.pow(1.05, i);
      series.watermark(DAY + HOUR + i);
      add(series, DAY + HOUR + i, more[i]);
    }
    series.watermark(DAY + 3 * 86400);
    hasFurther(series.values.get("1h " + DAY), points);
    hasSketch(series.values.get("1h " + (DAY + HOUR)), more);
    assertThat(series.values.get("1d " + DAY).codec()).isNull();
    // 6h and 1d.
    assertThat(series.moreDropped).isEqualTo(2);
  }

  @Test
  void aPercentileThatIsNotFiniteIsLeftToRepair() {
    OneSeries series = at(DAY, intervals("1h", "p50", ""));
    add(series, DAY + 1, -Double.MAX_VALUE);
    add(series, DAY + 2, Double.MAX_VALUE);
    series.watermark(DAY + 3 * 86400);
    assertThat(series.values.keySet())
        .containsExactlyInAnyOrder("10m " + DAY, "6h " + DAY, "1d " + DAY);
    assertThat(series.requests).containsExactly(DAY + " 1h notFinite");
    assertThat(series.more).isNull();
  }

  /** Buckets that are left to repair leave nothing behind. */
  @Test
  void aLatePointLeavesMoreToRepair() {
    OneSeries series = at(DAY, intervals("10m,1h", ALL, HISTOGRAMS));
    add(series, DAY + 300, 5);
    series.watermark(DAY + 500);
    add(series, DAY + 100, 5);
    series.watermark(DAY + 3 * 86400);
    assertThat(series.values).isEmpty();
    assertThat(series.moreDropped).isZero();
    assertThat(series.more).isNull();
  }

  /** The format of checkpoints: a closed bucket of 10m, an open one, and those of 1h, 6h, 1d. */
  @Test
  void theStateHasTheseBytes() {
    StreamIntervals selected = intervals("10m,1h", "p50,last", HISTOGRAMS);
    OneSeries series = at(DAY, selected);
    add(series, DAY + 1, 1);
    add(series, DAY + 2, 2);
    series.timer(DAY + 740);
    add(series, DAY + 700, 3);
    series.timer(DAY + 821);
    byte[] more = series.more;
    if (more == null) {
      throw new AssertionError("no state");
    }
    String golden =
        // Version, closed buckets, offset of the points, number of points.
        "01016d00000003000000"
            // 10m from 00:10 has the last point; 1h, 6h and 1d from 00:00 have all.
            + "d80a1d69020000000000000000000000"
            + "80081d69000000000000000000000000"
            + "80081d69000000000000000000000000"
            + "80081d69000000000000000000000000"
            // Closed: 10m from 00:00, p50 and last, 1.5, 2.0, a sketch of 9 bytes.
            + "0080081d6981"
            + "000000000000f83f0000000000000040"
            + "09000000010a00000200012101"
            // 1.0, 2.0, 3.0
            + "000000000000f03f00000000000000400000000000000840";
    assertThat(HexFormat.of().formatHex(more)).startsWith(golden);
    series.more = HexFormat.of().parseHex(golden);
    series.watermark(DAY + 3 * 86400);
    RollupValues first = series.values.get("10m " + DAY);
    assertThat(first.names()).containsExactly("p50", "last");
    assertThat(first.further(0)).isEqualTo(1.5);
    hasSketch(first, 1, 2);
    hasSketch(series.values.get("10m " + (DAY + 600)), 3);
    hasSketch(series.values.get("1d " + DAY), 1, 2, 3);
    assertThat(series.moreDropped).isZero();
  }

  @Test
  void aStateOfAnotherVersionIsRefused() {
    OneSeries series = at(DAY, intervals("10m,1h", ALL, HISTOGRAMS));
    add(series, DAY + 1, 1);
    series.timer(DAY + 200);
    byte[] more = series.more;
    if (more == null) {
      throw new AssertionError("no state");
    }
    more[0] = 3;
    assertThatThrownBy(() -> series.watermark(DAY + 86400))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("version 1 or 2")
        .hasMessageContaining("version 3");
  }

  /** More metrics than the table of metrics begins with. */
  @Test
  void metricsAreToldApart() {
    StreamIntervals intervals =
        intervals(
            "\"values\": [{\"metrics\": \"*7*,!*77*\", \"intervals\": \"1h,1d\", \"aggregators\":"
                + " \"p99\"}]");
    MoreSelections selections = new MoreSelections(intervals);
    SeriesNames names = new SeriesNames();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 2000; i++) {
        String metric = "metric.of.some.length".substring(i % 22) + i;
        byte[] encoded = names.encode(metric, Map.of("host", "7"));
        if (encoded == null) {
          throw new AssertionError(metric);
        }
        MoreSelections.Of found = selections.of(encoded, 0);
        boolean wanted = metric.contains("7") && !metric.contains("77");
        assertThat(found.isEmpty()).as(metric).isEqualTo(!wanted);
        assertThat(found.has(1)).isEqualTo(wanted);
        // Percentiles of a day are left to the nightly run.
        assertThat(found.has(3)).isFalse();
      }
    }
  }
}
