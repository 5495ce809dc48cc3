package io.tsdbsuite.rollup.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksJson;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.testkit.seed.Seed;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.junit.jupiter.api.Test;

/** Further aggregators of rows of some days, through {@link RowRoller}, against a simple model. */
class FurtherValuesTest {
  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;
  private static final int START = 20_000 * DAY;
  private static final int NAMELESS = 9;
  private static final List<String> ALL =
      List.of("p50", "p75", "p90", "p95", "p99", "p999", "first", "last");

  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 10, "p75": 11,
            "p90": 12, "p95": 13, "p99": 14, "p999": 15, "first": 16, "last": 17},
           "intervals": [
            {"table": "t", "preAggregationTable": "p", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "10m", "rowSpan": "1d"},
            {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d"},
            {"table": "t3", "preAggregationTable": "p3", "interval": "1d", "rowSpan": "1n"},
            {"table": "t4", "preAggregationTable": "p4", "interval": "6h", "rowSpan": "1n"}],
           "suite": {"values": [
            {"metrics": "m2", "intervals": "1h", "aggregators": "last,p50"},
            {"metrics": "m3", "intervals": "1d", "aggregators": "p999"},
            {"metrics": "!m4", "intervals": "10m,1h,6h,1d",
             "aggregators": "first,last,p50,p75,p90,p95,p99,p999"}]}}
          """);

  /** A rollup that was emitted. */
  private record Emitted(String metric, int host, String interval, long time) {
    private Emitted(String metric, String interval, long time) {
      this(metric, 1, interval, time);
    }
  }

  private final Map<Emitted, RollupValues> emitted = new HashMap<>();
  private final Books books = new Books();
  private final RollupSink sink = new Log();
  private RowRoller roller = roller(1 << 24, "10m", "1h", "6h", "1d");

  private static RowRoller roller(long dayBytes, String... intervals) {
    List<RollupInterval> some = Stream.of(intervals).map(CONFIG::interval).toList();
    UidNames names =
        (kind, uid, out) -> {
          out.set((kind.qualifier().charAt(0) + "" + uid).getBytes(StandardCharsets.ISO_8859_1));
          return uid != NAMELESS;
        };
    return new RowRoller(
        StorageSchema.defaults(),
        new RollupIntervals(some, CONFIG.suite(), HistogramCodecs.NONE),
        names,
        false,
        dayBytes);
  }

  private final class Log extends EmitOnlySink {
    @Override
    public void emit(RollupPoint point) {
      RollupValues values = new RollupValues();
      values.set(point.rollup());
      ByteBuffer row = ByteBuffer.wrap(point.rowArray(), point.rowOffset(), point.rowLength());
      String metric = "m" + row.get(row.position() + 2);
      int host = row.getShort(row.position() + 11);
      Emitted key = new Emitted(metric, host, point.interval(), point.timestamp() - START);
      assertThat(emitted.put(key, values)).isNull();
    }
  }

  private static byte[] row(int metric, int time, int host) {
    return ByteBuffer.allocate(3 + 4 + 6)
        .put(2, (byte) metric)
        .putInt(3, START + time)
        .put(9, (byte) 1)
        .putShort(11, (short) host)
        .array();
  }

  private void roll(byte[] row, Map<Integer, Object> points) throws SinkException {
    roller.restart();
    points.forEach(
        (millis, value) -> {
          byte[] bytes;
          int flags;
          if (value instanceof Long number) {
            bytes = ByteBuffer.allocate(8).putLong(number).array();
            flags = 7;
          } else if (value instanceof Float number) {
            bytes = ByteBuffer.allocate(4).putFloat(number).array();
            flags = 8 | 3;
          } else {
            bytes = ByteBuffer.allocate(8).putDouble((Double) value).array();
            flags = 8 | 7;
          }
          byte[] qualifier =
              millis % 1000 == 0
                  ? ByteBuffer.allocate(2)
                      .putShort((short) (((millis / 1000) << 4) | flags))
                      .array()
                  : ByteBuffer.allocate(4).putInt((0xf << 28) | (millis << 6) | flags).array();
          roller.cell(qualifier, 0, qualifier.length, bytes, 0, bytes.length, 1);
        });
    boolean entered = false;
    while (!entered) {
      entered = roller.enter(row, 0, row.length, sink, books);
    }
    roller.roll(row, 0, row.length, false, null, sink, books);
  }

  private void rollDoubles(byte[] row, double... values) throws SinkException {
    Map<Integer, Object> points = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      points.put(1000 * i, values[i]);
    }
    roll(row, points);
  }

  private void finish() throws SinkException {
    boolean more = true;
    while (more) {
      more = roller.finish(sink, books);
    }
  }

  /** Half of the rows have only values of few kinds, so that there are ties. */
  private static Map<Integer, Object> draw(Random random) {
    Map<Integer, Object> points = new TreeMap<>();
    int size = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(random.nextInt(5) == 0 ? 3000 : 60);
    boolean ties = random.nextBoolean();
    boolean floats = random.nextInt(3) == 0;
    Object[] few = {0.0, -0.0, 1L, 1.0f, -1.5, Double.NaN};
    for (int i = 0; i < size; i++) {
      int millis = random.nextInt(3_600_000);
      int time = random.nextBoolean() ? millis : millis - millis % 1000;
      Object value =
          switch (ties ? 4 : floats ? 2 : random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> (1L << 53) + random.nextInt(5);
            case 2 -> (float) random.nextGaussian();
            case 3 -> random.nextGaussian() * Math.pow(10, random.nextInt(20));
            default -> few[random.nextInt(few.length)];
          };
      points.put(time, value);
    }
    return points;
  }

  /** Rollups of two metrics with all names in all intervals, and others with some or none. */
  @Test
  void theValuesAreThoseOfAllPointsOfTheirBucket() throws Exception {
    Random random = Seed.random();
    Map<Emitted, List<Double>> model = new HashMap<>();
    for (int metric : new int[] {1, 2, 3, 4, 5, NAMELESS}) {
      for (int hour = 0; hour < 48; hour++) {
        if (random.nextInt(5) == 0) {
          continue;
        }
        Map<Integer, Object> points = draw(random);
        roll(row(metric, hour * HOUR, 1), points);
        int base = hour * HOUR;
        points.forEach(
            (millis, value) -> {
              double number = ((Number) value).doubleValue();
              if (!Double.isNaN(number)) {
                int time = base + millis / 1000;
                add(model, metric, "10m", time - time % 600, number);
                add(model, metric, "1h", base, number);
                add(model, metric, "6h", base - base % (6 * HOUR), number);
                add(model, metric, "1d", base - base % DAY, number);
              }
            });
      }
    }
    finish();
    assertThat(books.rowsFailed()).isZero();
    assertThat(emitted.keySet()).containsExactlyInAnyOrderElementsOf(model.keySet());
    Map<String, Long> levels = new TreeMap<>();
    model.forEach(
        (key, points) -> {
          RollupValues values = emitted.get(key);
          assertThat(values.count()).isEqualTo(points.size());
          assertThat(values.names()).as("%s", key).isEqualTo(names(key));
          for (int i = 0; i < values.names().size(); i++) {
            String name = values.names().get(i);
            levels.merge(key.interval() + "." + name, 1L, Long::sum);
            assertThat(values.further(i) + 0.0)
                .as("%s %s of %s", key, name, points)
                .isEqualTo(value(name, points) + 0.0);
          }
        });
    assertThat(books.furtherRollups()).isEqualTo(levels);
    assertThat(BooksJson.read(BooksJson.counts(books)).furtherRollups()).isEqualTo(levels);
    assertThat(books.copy().furtherRollups()).isEqualTo(levels);
  }

  private static void add(
      Map<Emitted, List<Double>> model, int metric, String interval, long time, double value) {
    model
        .computeIfAbsent(new Emitted("m" + metric, interval, time), any -> new ArrayList<>())
        .add(value);
  }

  private static List<String> names(Emitted key) {
    return switch (key.metric()) {
      case "m1", "m5" -> ALL;
      case "m2" -> key.interval().equals("1h") ? List.of("p50", "last") : List.of();
      case "m3" -> key.interval().equals("1d") ? List.of("p999") : List.of();
      default -> List.of();
    };
  }

  /** As the TSD has it, by the same library. */
  private static double value(String name, List<Double> points) {
    double[] values = points.stream().mapToDouble(Double::doubleValue).toArray();
    return switch (name) {
      case "first" -> values[0];
      case "last" -> values[values.length - 1];
      case "p999" -> new Percentile(99.9).evaluate(values);
      default -> new Percentile(Integer.parseInt(name.substring(1))).evaluate(values);
    };
  }

  /** A load would know the name, and claim the aggregators that it selects. */
  @Test
  void aMetricWithoutANameIsOdd() throws Exception {
    rollDoubles(row(1, 0, 1), 1);
    rollDoubles(row(4, 0, 1), 1);
    rollDoubles(row(NAMELESS, HOUR, 1), 1);
    rollDoubles(row(NAMELESS, 3 * HOUR, 1), 1);
    finish();
    assertThat(books.oddMetrics())
        .containsExactly(new RunProof.OddMetric(NAMELESS, START + HOUR, START + 4 * HOUR));
  }

  /** The distance of the two values is more than the greatest double; their sum is 0. */
  @Test
  void anInfinitePercentileFailsItsRow() throws Exception {
    rollDoubles(row(1, 0, 1), -1.5e308, 1.5e308);
    rollDoubles(row(4, 0, 1), -1.5e308, 1.5e308);
    finish();
    assertThat(books.failed(FailReason.NOT_FINITE)).isEqualTo(1);
    assertThat(books.samples().get(FailReason.NOT_FINITE))
        .singleElement()
        .asString()
        .endsWith(": a percentile of its points is infinite, which no TSD stores");
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(1);
    assertThat(emitted.keySet()).allMatch(each -> each.metric().equals("m4")).hasSize(4);
  }

  @Test
  void anInfinitePercentileOfGoodHoursFailsTheDay() throws Exception {
    rollDoubles(row(1, 0, 1), -1.5e308);
    rollDoubles(row(1, HOUR, 1), 1.5e308);
    rollDoubles(row(1, HOUR, 2), 1);
    rollDoubles(row(2, 0, 1), -1.5e308);
    rollDoubles(row(2, HOUR, 1), 1.5e308);
    finish();
    assertThat(books.rowsFailed()).isZero();
    assertThat(books.failed(FailReason.FAILED_DAY)).isEqualTo(1);
    assertThat(books.samples().get(FailReason.FAILED_DAY))
        .singleElement()
        .asString()
        .contains("000001000001000001: a percentile is infinite");
    assertThat(emitted)
        .containsKeys(new Emitted("m2", "1d", 0), new Emitted("m1", 2, "1d", 0))
        .doesNotContainKeys(new Emitted("m1", "1d", 0), new Emitted("m1", "6h", 0));
  }

  /** The sums of so many series have memory enough. */
  @Test
  void moreValuesThanThereIsMemoryForIsSaid() throws Exception {
    roller = roller(1 << 20, "1h", "6h", "1d");
    double[] values = new double[100];
    for (int metric : new int[] {2, 4}) {
      for (int host = 1; host < 1500; host++) {
        rollDoubles(row(metric, 0, host), values);
        emitted.clear();
      }
    }
    finish();
    assertThatThrownBy(
            () -> {
              for (int host = 1; host < 1500; host++) {
                rollDoubles(row(3, 0, host), values);
                emitted.clear();
              }
            })
        .isInstanceOf(JobException.class)
        .hasMessageMatching(
            "metric UID 000003 \\(m3\\) has at least \\d+ series on 2024-10-04: suite.values of"
                + " rollup_config.json gives it p999 of 1d, for which all points of the day are"
                + " kept, and these need more than the 1 MiB that a task may take for them; .*");
  }

  /** All further aggregators of rows of a metric, after the first ones. */
  @Test
  void rowsOfTheHourAllocateNothing() throws Exception {
    HourRollups hour = new HourRollups("1h", HOUR, HistogramCodecs.NONE);
    PointBuffer points = new PointBuffer();
    RowHistograms cells = new RowHistograms();
    Random random = Seed.random();
    for (int i = 0; i < 360; i++) {
      points.addDouble(10_000 * i, false, random.nextGaussian());
    }
    Selection selection = CONFIG.suite().selection("m1");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    boolean finite = true;
    for (int i = 0; i < 2000; i++) {
      if (i == 1000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      hour.summarise(points);
      finite &= hour.further(points, cells, selection);
    }
    assertThat(finite).isTrue();
    // A byte a row at most; an object has sixteen.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
  }

  /** What a metric has taken is free for the next one. */
  @Test
  void theMemoryOfAMetricIsFreeAfterIt() throws Exception {
    roller = roller(1 << 20, "1d");
    double[] values = new double[1000];
    for (int day = 0; day < 30; day++) {
      for (int hour = 0; hour < 24; hour++) {
        rollDoubles(row(3, day * DAY + hour * HOUR, 1), values);
        rollDoubles(row(3, day * DAY + hour * HOUR, 2), 0.1, 0.2);
      }
      emitted.clear();
    }
    finish();
    assertThat(books.daysFailed()).isZero();
  }
}
