package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.histogram.HistogramMerger;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Native histograms of a stream: docs/stream-rollup.md. */
class HistogramCellsTest {
  private static final String CONFIG =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 7},
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

  private static final String CODECS =
      "{\"net.opentsdb.core.SimpleHistogramDecoder\": 42, \"io.tsdbsuite.histogram.SketchCodec\":"
          + " 43, \"com.example.Unknown\": 44}";
  private static final byte SIMPLE = 42;
  private static final byte SKETCH = 43;
  private static final byte UNKNOWN = 44;

  /** Midnight of 19 November 2025, UTC. */
  private static final int DAY = 1763510400;

  private static final int HOUR = 3600;
  private static final long LATER = DAY + 4 * 86400;
  private static final Map<String, Integer> SECONDS =
      Map.of("10m", 600, "1h", 3600, "6h", 21600, "1d", 86400);

  private final HistogramCodecs codecs = HistogramCodecs.load(CODECS);

  HistogramCellsTest() throws IOException {}

  private static String histograms(String of) {
    return "\"histograms\": [{\"metrics\": \"m\", \"intervals\": \"" + of + "\"}]";
  }

  private StreamIntervals intervals(String suite) {
    RollupConfig config = RollupConfig.parse(CONFIG.formatted(suite));
    return intervals(config, config.suite());
  }

  private StreamIntervals intervals(RollupConfig config, SuiteConfig suite) {
    return new StreamIntervals(
        List.of("10m", "1h", "6h", "1d").stream().map(config::interval).toList(),
        120,
        2400,
        suite,
        codecs);
  }

  private OneSeries at(int second, String intervals) {
    OneSeries series = new OneSeries(intervals(histograms(intervals)));
    series.watermark(second);
    return series;
  }

  private static void point(OneSeries series, int second, double value) {
    series.add(
        second * 1000L, PointColumn.flags(false, true, 8), Double.doubleToRawLongBits(value));
  }

  private static Outcome histogram(OneSeries series, int second, byte[] cell) {
    return series.histogram(second * 1000L, false, cell);
  }

  private static byte[] cell(byte id, byte[] payload) {
    return ByteBuffer.allocate(1 + payload.length).put(id).put(payload).array();
  }

  private static byte[] simple(String bounds, long count) {
    return cell(SIMPLE, HistogramMerger.simple(Map.of(bounds, count), 0, 0));
  }

  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    return cell(SKETCH, sketch.bytes());
  }

  /** As rollup-job and the repairs of kafka-ingest compute it. */
  private void hasHistogram(
      RollupValues found, Collection<Double> points, Collection<byte[]> cells) {
    BucketHistogram expected = new BucketHistogram(codecs);
    double[] values = points.stream().mapToDouble(Double::doubleValue).toArray();
    expected.addPoints(values, 0, values.length);
    for (byte[] cell : cells) {
      String codec = codecs.codec(cell[0]);
      if (codec == null) {
        throw new AssertionError("no codec");
      }
      try {
        expected.addCell(codec, cell, 1, cell.length - 1);
      } catch (HistogramException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(found).isNotNull();
    assertThat(found.count()).isEqualTo(values.length);
    assertThat(found.codec()).isEqualTo(expected.codec());
    assertThat(found.histogram()).isEqualTo(expected.bytes());
  }

  /** Shuffled within the slack, replaced, with points or alone, over restarts; also in place. */
  @Test
  void histogramsAreThoseOfTheBatch() {
    for (int round = 0; round < Seed.times(6, 60); round++) {
      Random random = new Random(Seed.random().nextLong() + round);
      StreamIntervals intervals = intervals(histograms("10m,1h,6h,1d"));
      boolean isInPlace = random.nextBoolean();
      OneSeries series = new OneSeries(intervals);
      series.isInPlace = isInPlace;
      series.watermark(DAY);
      TreeMap<Long, Double> points = new TreeMap<>();
      TreeMap<Long, byte[]> cells = new TreeMap<>();
      boolean isSimple = random.nextBoolean();
      int pointsOf = random.nextInt(4);
      int step = 1 + random.nextInt(900);
      long added = 0;
      int emitted = 0;
      Map<String, RollupValues> found = new HashMap<>();
      for (int time = DAY + 1; time < DAY + 30 * HOUR; time += 1 + random.nextInt(step)) {
        series.watermark(time);
        long millis = time * 1000L + 1000L * random.nextInt(100);
        if (random.nextInt(4) < pointsOf) {
          double value = random.nextInt(50);
          series.add(millis, PointColumn.flags(true, true, 8), Double.doubleToRawLongBits(value));
          points.put(millis, value);
        } else {
          byte[] cell =
              isSimple
                  ? simple(random.nextInt(9) + ",10.5", random.nextLong() >>> 1)
                  : sketch(Math.exp(random.nextGaussian()), random.nextInt(3));
          series.histogram(millis, true, cell);
          cells.put(millis, cell);
        }
        added++;
        if (random.nextInt(50) == 0) {
          found.putAll(series.values);
          added -= taken(series);
          emitted += series.emitted;
          series = series.in(intervals);
          series.isInPlace = isInPlace;
        }
      }
      series.watermark(LATER);
      found.putAll(series.values);
      assertThat(added - taken(series)).isZero();
      assertThat(emitted + series.emitted).isEqualTo(found.size()).isGreaterThan(30);
      assertThat(series.moreDropped + series.histogramsLeft).isZero();
      assertThat(series.requests).isEmpty();
      assertThat(series.more).isNull();
      assertThat(series.state).isNull();
      assertThat(found.keySet()).isEqualTo(buckets(points, cells));
      found.forEach(
          (bucket, values) -> {
            SortedMap<Long, Double> own = in(bucket, points);
            hasHistogram(values, own.values(), in(bucket, cells).values());
            assertThat(values.hasValues()).isEqualTo(!own.isEmpty());
          });
    }
  }

  private static int taken(OneSeries series) {
    return series.aggregated + series.outcomes.getOrDefault(Outcome.REPLACED, 0);
  }

  private static Set<String> buckets(SortedMap<Long, ?> points, SortedMap<Long, ?> cells) {
    List<Long> times = new ArrayList<>(points.keySet());
    times.addAll(cells.keySet());
    TreeSet<String> buckets = new TreeSet<>();
    SECONDS.forEach(
        (interval, seconds) ->
            times.forEach(
                time -> buckets.add(interval + " " + (time / 1000 - time / 1000 % seconds))));
    return buckets;
  }

  private static <V> SortedMap<Long, V> in(String bucket, SortedMap<Long, V> all) {
    String[] parts = bucket.split(" ", -1);
    long start = Long.parseLong(parts[1]) * 1000;
    Integer seconds = SECONDS.get(parts[0]);
    if (seconds == null) {
      throw new AssertionError(bucket);
    }
    return all.subMap(start, start + seconds * 1000L);
  }

  /** A put to the same column replaces the cell; a second column is counted, too. */
  @Test
  void theLastOfAnInstantWins() {
    OneSeries series = at(DAY, "1h");
    assertThat(histogram(series, DAY + 10, sketch(1))).isEqualTo(Outcome.HELD);
    assertThat(histogram(series, DAY + 10, sketch(2, 3))).isEqualTo(Outcome.REPLACED);
    series.watermark(DAY + HOUR + 1);
    assertThat(series.histogram((DAY + HOUR) * 1000L, false, sketch(1))).isEqualTo(Outcome.HELD);
    assertThat(series.histogram((DAY + HOUR) * 1000L, true, sketch(1))).isEqualTo(Outcome.REPLACED);
    series.watermark(LATER);
    hasHistogram(series.values.get("1h " + DAY), List.of(), List.of(sketch(2, 3)));
    assertThat(series.values).hasSize(1);
    assertThat(series.requests).containsExactly((DAY + HOUR) + " 1h duplicate");
    assertThat(series.closed).isEqualTo(2);
  }

  /** Only the rollups that a histogram changes are left to repair. */
  @Test
  void lateAndEarlyHistograms() {
    OneSeries series = at(DAY, "1h");
    point(series, DAY + 300, 5);
    series.watermark(DAY + 500);
    assertThat(histogram(series, DAY + 100, sketch(1))).isEqualTo(Outcome.LATE);
    series.ahead(true);
    assertThat(histogram(series, DAY + 86400, sketch(1))).isEqualTo(Outcome.AHEAD);
    series.ahead(false);
    assertThat(series.told).containsExactly((DAY + 86400) + " 1h");
    series.watermark(LATER);
    assertThat(series.values.keySet())
        .containsExactlyInAnyOrder("10m " + DAY, "6h " + DAY, "1d " + DAY);
    assertThat(series.requests)
        .containsExactlyInAnyOrder(DAY + " 1h late", (DAY + 86400) + " 1h ahead");
    assertThat(series.more).isNull();
    assertThat(series.state).isNull();
  }

  /** Of a bucket whose messages are missing, or that was open at a start. */
  @Test
  void missingMessagesAreRequested() {
    OneSeries series = at(DAY + HOUR, "1h,1d");
    histogram(series, DAY + HOUR + 10, sketch(1));
    series.miss(DAY + HOUR, DAY + HOUR + 60);
    assertThat(series.heldCells()).isEqualTo(1);
    series.watermark(LATER);
    assertThat(series.values).isEmpty();
    assertThat(series.requests)
        .containsExactlyInAnyOrder(
            (DAY + HOUR) + " 10m started",
            (DAY + HOUR) + " 1h started",
            DAY + " 6h started",
            DAY + " 1d started");
    assertThat(series.aggregated).isEqualTo(1);
    assertThat(series.more).isNull();
  }

  /** What cannot be added up here is left to the nightly run, and its bucket has no sketch. */
  @Test
  void histogramsThatAreLeft() {
    byte[] large = new byte[BucketHistogram.MAX_BYTES];
    Map<String, Long> many = new LinkedHashMap<>();
    for (int i = 0; i < 32_000; i++) {
      many.put(i + "," + (i + 1), Long.MIN_VALUE);
    }
    byte[] wide = cell(SIMPLE, HistogramMerger.simple(many, 0, 0));
    double[] bins = new double[5000];
    Arrays.setAll(bins, i -> Math.pow(1.05, i - 2500.0));
    List<List<byte[]>> cases =
        List.of(
            List.of(cell(UNKNOWN, new byte[] {1})),
            List.of(cell((byte) 7, new byte[] {1})),
            List.of(new byte[] {SIMPLE}),
            List.of(cell(SKETCH, new byte[] {1})),
            List.of(cell(SKETCH, large)),
            List.of(sketch(1), simple("1,2", 3)),
            List.of(sketch(1), cell(SKETCH, new byte[] {1}), sketch(2)),
            List.of(wide),
            List.of(
                sketch(Arrays.copyOf(bins, 2500)), sketch(Arrays.copyOfRange(bins, 2500, 5000))));
    for (List<byte[]> each : cases) {
      for (boolean alone : new boolean[] {true, false}) {
        OneSeries series = at(DAY, "1h");
        for (int i = 0; i < each.size(); i++) {
          assertThat(histogram(series, DAY + 10 * i, each.get(i))).isEqualTo(Outcome.HELD);
        }
        if (!alone) {
          point(series, DAY + 60, 5);
        }
        histogram(series, DAY + HOUR, sketch(9));
        series.watermark(LATER);
        assertThat(series.requests).isEmpty();
        assertThat(series.more).isNull();
        hasHistogram(series.values.get("1h " + (DAY + HOUR)), List.of(), List.of(sketch(9)));
        if (alone) {
          assertThat(series.values).hasSize(1);
          assertThat(series.histogramsLeft).isEqualTo(1);
          assertThat(series.moreDropped).isZero();
        } else {
          assertThat(series.values.get("1h " + DAY).toString())
              .isEqualTo("sum=5.0 min=5.0 max=5.0 count=1");
          assertThat(series.histogramsLeft).isZero();
          assertThat(series.moreDropped).isEqualTo(1);
        }
        assertThat(series.closed).isEqualTo(series.emitted + series.histogramsLeft);
      }
    }
  }

  @Test
  void veryManyThatWaitAreLeftToRepair() {
    OneSeries series = at(DAY, "10m");
    for (int i = 0; i < HistogramCells.MOST_WAITING; i++) {
      assertThat(series.histogram(DAY * 1000L + i, true, sketch(i))).isEqualTo(Outcome.HELD);
    }
    assertThat(series.histogram(DAY * 1000L + 7, true, sketch(5))).isEqualTo(Outcome.REPLACED);
    assertThat(series.histogram(DAY * 1000L + 1000, true, sketch(5))).isEqualTo(Outcome.LATE);
    byte[] large = new byte[BucketHistogram.MAX_BYTES];
    OneSeries other = at(DAY, "10m");
    int room = HistogramCells.MOST_BYTES / large.length;
    for (int i = 0; i < room; i++) {
      assertThat(histogram(other, DAY + i, large)).isEqualTo(Outcome.HELD);
    }
    assertThat(histogram(other, DAY + room, sketch(1))).isEqualTo(Outcome.LATE);
    OneSeries collision = at(DAY, "10m");
    collision.isKept = false;
    assertThat(histogram(collision, DAY + 1, sketch(1))).isEqualTo(Outcome.LATE);
    for (OneSeries each : List.of(series, other, collision)) {
      each.watermark(LATER);
      assertThat(each.values).isEmpty();
      assertThat(each.requests).containsExactly(DAY + " 10m late");
    }
  }

  /** A message may have very many: those that wait are not copied for each. */
  @Test
  void aHistogramCopiesNoOthers() {
    byte[] large = new byte[HistogramCells.MOST_BYTES / HistogramCells.MOST_WAITING];
    byte[] small = {SKETCH, 1};
    OneSeries series = at(DAY, "10m,1h");
    series.isInPlace = true;
    for (int i = 0; i < HistogramCells.MOST_WAITING; i++) {
      assertThat(series.histogram(DAY * 1000L + i, true, large)).isEqualTo(Outcome.HELD);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < HistogramCells.MOST_WAITING; i++) {
      Outcome refused = series.histogram(DAY * 1000L + 5000 + i, true, small);
      assertThat(refused).isEqualTo(Outcome.LATE);
    }
    for (int i = 0; i < 10; i++) {
      Outcome replaced = series.histogram(DAY * 1000L + 500 + i, true, small);
      assertThat(replaced).isEqualTo(Outcome.REPLACED);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(3L << 20);
    series.watermark(LATER);
    assertThat(series.more).isNull();
    assertThat(series.requests).containsExactlyInAnyOrder(DAY + " 10m late", DAY + " 1h late");
  }

  /** Percentiles of the points stand beside histograms; a bucket without points has none. */
  @Test
  void percentilesBesideHistograms() {
    OneSeries series =
        new OneSeries(
            intervals(
                "\"values\": [{\"metrics\": \"m\", \"intervals\": \"1h\", \"aggregators\":"
                    + " \"p50\"}], "
                    + histograms("1h")));
    series.watermark(DAY);
    point(series, DAY + 1, 5);
    histogram(series, DAY + 1, sketch(1));
    histogram(series, DAY + HOUR, sketch(2));
    series.watermark(LATER);
    RollupValues mixed = series.values.get("1h " + DAY);
    hasHistogram(mixed, List.of(5.0), List.of(sketch(1)));
    assertThat(mixed.names()).containsExactly("p50");
    assertThat(mixed.further(0)).isEqualTo(5);
    RollupValues alone = series.values.get("1h " + (DAY + HOUR));
    hasHistogram(alone, List.of(), List.of(sketch(2)));
    assertThat(alone.names()).isEmpty();
    assertThat(series.moreDropped + series.histogramsLeft).isZero();
  }

  /** Histograms that a job of another suite has read are not known. */
  @Test
  void bucketsBeforeAChangeOfTheSuiteLackHistograms() {
    OneSeries before = at(DAY, "1h");
    histogram(before, DAY + 1, sketch(1));
    before.timer(DAY + 200);
    histogram(before, DAY + 180, sketch(2));
    OneSeries after = before.in(intervals(histograms("1h,1d")), DAY + HOUR);
    point(after, DAY + 300, 5);
    histogram(after, DAY + HOUR, sketch(3));
    after.watermark(LATER);
    assertThat(after.values.get("1h " + DAY).toString())
        .isEqualTo("sum=5.0 min=5.0 max=5.0 count=1");
    assertThat(after.values.get("1d " + DAY).codec()).isNull();
    hasHistogram(after.values.get("1h " + (DAY + HOUR)), List.of(), List.of(sketch(3)));
    // 1h and 1d.
    assertThat(after.moreDropped).isEqualTo(2);
    assertThat(after.histogramsLeft).isZero();
    assertThat(after.more).isNull();
  }

  /** Open and closed buckets without points, and cells that wait, when suite goes. */
  @Test
  void aJobWithoutSuiteRequestsBucketsOfHistogramsAlone() {
    OneSeries before = at(DAY, "10m");
    histogram(before, DAY + 1, sketch(1));
    before.timer(DAY + 725);
    histogram(before, DAY + 700, sketch(1));
    assertThat(before.heldCells()).isEqualTo(1);
    OneSeries after =
        before.in(
            intervals(RollupConfig.parse(CONFIG.formatted(histograms("1h"))), SuiteConfig.NONE));
    after.watermark(LATER);
    assertThat(after.values).isEmpty();
    assertThat(after.requests).containsExactly(DAY + " 10m started");
    assertThat(after.closed).isEqualTo(1);
    // Flink's function drops them, and counts them.
    assertThat(after.heldCells()).isEqualTo(1);
    OneSeries others =
        before.in(
            intervals(
                "\"values\": [{\"metrics\": \"m\", \"intervals\": \"1h\", \"aggregators\":"
                    + " \"p50\"}]"));
    others.watermark(LATER);
    assertThat(others.requests).containsExactly(DAY + " 10m started");
    assertThat(others.aggregated).isEqualTo(1);
    assertThat(others.more).isNull();
    assertThat(others.state).isNull();
  }

  /** A checkpoint whose further state is lost, or is of before histograms. */
  @Test
  void aBucketWithoutItsSumIsLeft() {
    OneSeries series = at(DAY, "1h");
    histogram(series, DAY + 1, sketch(1));
    series.timer(DAY + 200);
    series.more = null;
    series.watermark(LATER);
    assertThat(series.values).isEmpty();
    assertThat(series.histogramsLeft).isEqualTo(1);
    assertThat(series.closed).isEqualTo(1);
    assertThat(series.state).isNull();
  }

  /** The format of checkpoints: a sum of 1h, and a cell that waits. */
  @Test
  void theStateHasTheseBytes() {
    OneSeries series = at(DAY, "1h");
    histogram(series, DAY + 1, sketch(1));
    point(series, DAY + 2, 2);
    series.timer(DAY + 200);
    histogram(series, DAY + 180, sketch(1, 1));
    byte[] more = series.more;
    if (more == null) {
      throw new AssertionError("no state");
    }
    String golden =
        // Version, closed buckets, offset of the points, number of points.
        "02008000000001000000"
            // 1h has the point.
            + "00000000000000000000000000000000"
            + "80081d69000000000000000000000000"
            + "00000000000000000000000000000000"
            + "00000000000000000000000000000000"
            // The first cell that waits, and their number.
            + "20f36b999a01000001000000"
            + "20f36b999a01000000"
            + "080000002b010a0000010002"
            // 1h.
            + "0180081d69"
            + "080000002b010a0000010001"
            + "32000000"
            + "0000000000000040";
    assertThat(HexFormat.of().formatHex(more)).startsWith(golden);
    series.more = HexFormat.of().parseHex(golden);
    series.watermark(LATER);
    hasHistogram(series.values.get("1h " + DAY), List.of(2.0), List.of(sketch(1), sketch(1, 1)));
    assertThat(series.more).isNull();
  }
}
