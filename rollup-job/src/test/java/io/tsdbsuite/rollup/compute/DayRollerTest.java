package io.tsdbsuite.rollup.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksText;
import io.tsdbsuite.rollup.report.Count;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of days, one point or two in each, through {@link RowRoller}. */
class DayRollerTest {
  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;
  private static final int START = 20_000 * DAY;
  private static final int NAMELESS = 99;
  private static final byte[] END = {};

  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "intervals": [
            {"table": "t", "preAggregationTable": "p", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "30m", "rowSpan": "1d"},
            {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d"},
            {"table": "t3", "preAggregationTable": "p3", "interval": "1d", "rowSpan": "1n"},
            {"table": "t5", "preAggregationTable": "p5", "interval": "2h", "rowSpan": "1n"},
            {"table": "t4", "preAggregationTable": "p4", "interval": "6h", "rowSpan": "1n"}]}
          """);

  private final List<String> emitted = new ArrayList<>();
  private final Books books = new Books();
  private final RollupSink sink = new Log();
  private RowRoller roller = roller(1 << 20, "1d");

  private static RowRoller roller(long dayBytes, String... intervals) {
    return roller(StorageSchema.defaults(), dayBytes, intervals);
  }

  private static RowRoller roller(StorageSchema schema, long dayBytes, String... intervals) {
    List<RollupInterval> some = Stream.of(intervals).map(CONFIG::interval).toList();
    UidNames names =
        (kind, uid, out) -> {
          out.set((kind.qualifier().charAt(0) + "" + uid).getBytes(StandardCharsets.ISO_8859_1));
          return uid != NAMELESS;
        };
    return new RowRoller(schema, new RollupIntervals(some), names, true, dayBytes);
  }

  private final class Log extends EmitOnlySink {
    @Override
    public void emit(RollupPoint point) {
      emitted.add(
          point.metric()
              + " "
              + point.tagValue(0)
              + " "
              + point.interval()
              + " "
              + (point.timestamp() - START)
              + " "
              + point.rollup().sum()
              + " "
              + point.rollup().min()
              + " "
              + point.rollup().max()
              + " "
              + point.rollup().count());
    }
  }

  private static byte[] row(int metric, int time, int host) {
    return ByteBuffer.allocate(3 + 4 + 6)
        .put(2, (byte) metric)
        .putInt(3, START + time)
        .put(9, (byte) 1)
        .put(12, (byte) host)
        .array();
  }

  /** Points at the first second of each half of the hour. */
  private void rollPoints(byte[] row, double... values) throws SinkException {
    roller.restart();
    for (int i = 0; i < values.length; i++) {
      byte[] qualifier = ByteBuffer.allocate(2).putShort((short) (((i * 1800) << 4) | 0xf)).array();
      byte[] value = ByteBuffer.allocate(8).putDouble(values[i]).array();
      roller.cell(qualifier, 0, 2, value, 0, 8, 1);
    }
    roll(row);
  }

  private void roll(byte[] row) throws SinkException {
    while (!roller.enter(row, 0, row.length, sink, books)) {
      assertThat(emitted).isNotEmpty();
    }
    roller.roll(row, 0, row.length, false, null, sink, books);
  }

  private void rollCorrupt(byte[] row) throws SinkException {
    roller.restart();
    roller.cell(new byte[] {(byte) 0xf0, 0x10}, 0, 2, new byte[] {1}, 0, 1, 1);
    roll(row);
  }

  private void finish() throws SinkException {
    boolean more = true;
    while (more) {
      more = roller.finish(sink, books);
    }
    books.messages(emitted.size(), emitted.size());
    assertThat(books.close()).isTrue();
    assertThat(books.intervalsEmitted() + books.count(Count.ROLLUPS_TAKEN_BACK))
        .isEqualTo(emitted.size());
  }

  /** The task of its own bucket takes the hour and the day for whole. */
  @Test
  void aRowInAnotherSaltBucketFailsByItsOwnNameAndNoRunIsDone() throws Exception {
    StorageSchema salted =
        StorageSchema.from(TsdConfig.parse("tsd.storage.salt.width=1\ntsd.storage.salt.buckets=4"));
    byte[] wrong =
        new RowKey(salted).encode(new byte[] {0, 0, 1}, START, new byte[] {0, 0, 1, 0, 0, 7});
    wrong[0] = (byte) ((wrong[0] + 1) % 4);
    roller = roller(salted, 1 << 20, "1d");
    rollPoints(wrong, 2);
    finish();
    assertThat(emitted).isEmpty();
    assertThat(books.failed(FailReason.OTHER_BUCKET)).isEqualTo(1);
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(1);
    assertThat(BooksText.wrongRollups(books, true).orElse(""))
        .contains("1 row in another salt bucket", "--any-bucket");
  }

  @Test
  void metricsWithNaNAreNamed() throws Exception {
    rollPoints(row(1, 0, 1), 1, 2);
    rollPoints(row(2, 0, 1), 1, Double.NaN);
    rollPoints(row(3, 0, 1), Double.NaN);
    finish();
    assertThat(books.oddMetrics())
        .containsExactly(
            new RunProof.OddMetric(2, START, START + HOUR),
            new RunProof.OddMetric(3, START, START + HOUR));
  }

  @Test
  void sumsUpTheHoursOfADayFromLeftToRight() throws Exception {
    double[] points = {0.1, 1e16, 1, 1, -1e16, 0.7};
    PointSummary expected = new PointSummary();
    for (int i = 0; i < points.length; i++) {
      rollPoints(row(1, i * 4 * HOUR, 1), points[i]);
      expected.add(points[i]);
    }
    finish();
    assertThat(emitted)
        .containsExactly("m1 t1 1d 0 " + expected.sum() + " -1.0E16 1.0E16 " + points.length);
    assertThat(books.count(Count.ROWS_EMITTED)).isEqualTo(points.length);
    assertThat(books.count(Count.POINTS_AGGREGATED)).isEqualTo(points.length);
    assertThat(books.count(Count.DAYS_READ)).isEqualTo(1);
  }

  @Test
  void emitsTheSeriesOfADayInOrderOnceAnotherDayOrMetricComes() throws Exception {
    rollPoints(row(1, 0, 3), 3);
    rollPoints(row(1, HOUR, 1), 1);
    rollPoints(row(1, HOUR, 4), 4);
    rollPoints(row(1, 23 * HOUR, 2), 2);
    assertThat(emitted).isEmpty();
    rollPoints(row(1, DAY, 1), 5);
    assertThat(emitted)
        .containsExactly(
            "m1 t1 1d 0 1.0 1.0 1.0 1",
            "m1 t2 1d 0 2.0 2.0 2.0 1",
            "m1 t3 1d 0 3.0 3.0 3.0 1",
            "m1 t4 1d 0 4.0 4.0 4.0 1");
    rollPoints(row(2, DAY, 1), 6);
    assertThat(emitted).hasSize(5).last().isEqualTo("m1 t1 1d 86400 5.0 5.0 5.0 1");
    finish();
    assertThat(emitted).hasSize(6).last().isEqualTo("m2 t1 1d 86400 6.0 6.0 6.0 1");
  }

  @Test
  void emitsEveryIntervalFromOneRow() throws Exception {
    roller = roller(1 << 20, "1d", "1h", "30m");
    rollPoints(row(1, 0, 1), 1, 2);
    rollPoints(row(1, HOUR, 1), 4);
    finish();
    assertThat(emitted)
        .containsExactly(
            "m1 t1 30m 0 1.0 1.0 1.0 1",
            "m1 t1 30m 1800 2.0 2.0 2.0 1",
            "m1 t1 1h 0 3.0 1.0 2.0 2",
            "m1 t1 30m 3600 4.0 4.0 4.0 1",
            "m1 t1 1h 3600 4.0 4.0 4.0 1",
            "m1 t1 1d 0 7.0 1.0 4.0 3");
    assertThat(books.rollups().toString()).isEqualTo("{1d=1, 1h=2, 30m=3}");
  }

  @Test
  void bucketsOfSomeHoursAreThoseWithPoints() throws Exception {
    roller = roller(1 << 20, "6h");
    rollPoints(row(1, 5 * HOUR, 1), 1, 2);
    rollPoints(row(1, 6 * HOUR, 2), 8);
    rollPoints(row(1, 18 * HOUR, 1), 3);
    rollPoints(row(1, 23 * HOUR, 1), 5);
    assertThat(emitted).isEmpty();
    finish();
    assertThat(emitted)
        .containsExactly(
            "m1 t1 6h 0 3.0 1.0 2.0 2",
            "m1 t1 6h 64800 8.0 3.0 5.0 2",
            "m1 t2 6h 21600 8.0 8.0 8.0 1");
    assertThat(books.rollups().toString()).isEqualTo("{6h=3}");
    assertThat(books.count(Count.DAYS_EMITTED)).isEqualTo(2);
  }

  /** Each bucket is added up from its own points: a sum of sums has other last bits. */
  @Test
  void everyBucketIsTheSumOfItsPointsToTheLastBit() throws Exception {
    roller = roller(1 << 20, "1h", "6h", "1d");
    Random random = Seed.random();
    Map<Integer, PointSummary> quarters = new TreeMap<>();
    PointSummary day = new PointSummary();
    for (int hour = 0; hour < 24; hour++) {
      if (random.nextInt(4) == 0) {
        continue;
      }
      double[] points = new double[1 + random.nextInt(2)];
      for (int i = 0; i < points.length; i++) {
        points[i] = random.nextGaussian() * Math.pow(10, random.nextInt(20));
        quarters.computeIfAbsent(hour / 6, q -> new PointSummary()).add(points[i]);
        day.add(points[i]);
      }
      rollPoints(row(1, hour * HOUR, 1), points);
    }
    finish();
    List<String> expected = new ArrayList<>();
    quarters.forEach((quarter, sum) -> expected.add(text("6h", quarter * 6 * HOUR, sum)));
    expected.add(text("1d", 0, day));
    assertThat(emitted.stream().filter(each -> !each.contains(" 1h ")))
        .containsExactlyElementsOf(expected);
  }

  private static String text(String interval, int time, PointSummary sum) {
    return "m1 t1 %s %d %s %s %s %d"
        .formatted(interval, time, sum.sum(), sum.min(), sum.max(), sum.count());
  }

  /** The other buckets of the day are whole and finite. */
  @Test
  void aDayFailsWithAllOfItsBuckets() throws Exception {
    roller = roller(1 << 20, "6h", "1d");
    rollPoints(row(1, 0, 1), 1);
    rollPoints(row(1, 0, 2), 1e308);
    rollPoints(row(1, 0, 3), 1);
    rollCorrupt(row(1, 7 * HOUR, 1));
    rollPoints(row(1, 7 * HOUR, 2), 1e308);
    roller.lose(row(1, 8 * HOUR, 3), row(1, 8 * HOUR, 4));
    rollPoints(row(1, 9 * HOUR, 4), 4);
    finish();
    assertThat(emitted).containsExactly("m1 t4 6h 21600 4.0 4.0 4.0 1", "m1 t4 1d 0 4.0 4.0 4.0 1");
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(2);
    assertThat(books.failed(FailReason.FAILED_DAY)).isEqualTo(1);
  }

  /** The row may come first or last, and be the only one. */
  @Test
  void aDayWithARowThatFailedFails() throws Exception {
    rollCorrupt(row(1, 0, 1));
    rollPoints(row(1, 0, 2), 2);
    rollPoints(row(1, HOUR, 1), 1);
    rollCorrupt(row(1, 2 * HOUR, 3));
    rollPoints(row(1, 3 * HOUR, 4), 4);
    rollCorrupt(row(1, 4 * HOUR, 4));
    rollPoints(row(1, DAY, 1), 8);
    finish();
    assertThat(emitted).containsExactly("m1 t2 1d 0 2.0 2.0 2.0 1", "m1 t1 1d 86400 8.0 8.0 8.0 1");
    assertThat(books.rowsFailed()).isEqualTo(3);
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(3);
    assertThat(books.count(Count.DAYS_READ)).isEqualTo(5);
    assertThat(books.failures()).isEqualTo(3);
    assertThat(books.samples().get(FailReason.INCOMPLETE_DAY))
        .hasSize(3)
        .first()
        .isEqualTo(
            "day 2024-10-04 of TSUID 000001000001000001: one of its rows failed or could not be"
                + " read");
  }

  @Test
  void aRowWithoutNamesFailsItsDay() throws Exception {
    rollPoints(row(1, 0, NAMELESS), 1);
    rollPoints(row(1, HOUR, NAMELESS), 1);
    finish();
    assertThat(emitted).isEmpty();
    assertThat(books.failed(FailReason.UNRESOLVED_UID)).isEqualTo(2);
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(1);
  }

  @Test
  void aRowBetweenTheHoursFailsItsDay() throws Exception {
    rollPoints(row(1, 0, 1), 1);
    rollPoints(row(1, 0, 2), 2);
    rollPoints(row(1, 1800, 2), 2);
    finish();
    assertThat(books.failed(FailReason.MALFORMED_KEY)).isEqualTo(1);
    assertThat(emitted).containsExactly("m1 t1 1d 0 1.0 1.0 1.0 1");
  }

  @Test
  void anInfiniteSumOfGoodHoursFailsByItself() throws Exception {
    rollPoints(row(1, 0, 1), 1e308);
    rollPoints(row(1, HOUR, 1), 1e308);
    finish();
    assertThat(emitted).isEmpty();
    assertThat(books.rowsFailed()).isZero();
    assertThat(books.failures()).isEqualTo(1);
    assertThat(books.samples().get(FailReason.FAILED_DAY)).first().asString().contains("infinite");
  }

  /** Rows of series 3 to 5 in the second hour are lost, and it is unknown whether they existed. */
  @Test
  void everySeriesThatCouldBeInACorruptBlockFails() throws Exception {
    for (int host = 1; host < 7; host++) {
      rollPoints(row(1, 0, host), host);
    }
    roller.lose(row(1, HOUR, 3), row(1, HOUR, 6));
    // A series that comes only later in the day.
    rollPoints(row(1, 5 * HOUR, 4), 1);
    rollPoints(row(1, 6 * HOUR, 7), 7);
    rollPoints(row(1, DAY, 4), 40);
    finish();
    assertThat(emitted)
        .containsExactly(
            "m1 t1 1d 0 1.0 1.0 1.0 1",
            "m1 t2 1d 0 2.0 2.0 2.0 1",
            "m1 t6 1d 0 6.0 6.0 6.0 1",
            "m1 t7 1d 0 7.0 7.0 7.0 1",
            "m1 t4 1d 86400 40.0 40.0 40.0 1");
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(3);
  }

  /** From the last hour of one day of a metric to the first of another metric. */
  @Test
  void aCorruptBlockReachesOverDaysAndMetrics() throws Exception {
    for (int host = 1; host < 5; host++) {
      rollPoints(row(1, 0, host), host);
    }
    roller.lose(row(1, 23 * HOUR, 3), row(2, 0, 2));
    for (int host = 1; host < 5; host++) {
      rollPoints(row(2, HOUR, host), host);
    }
    roller.lose(row(2, 30 * HOUR, 0), END);
    finish();
    assertThat(emitted)
        .containsExactly(
            "m1 t1 1d 0 1.0 1.0 1.0 1",
            "m1 t2 1d 0 2.0 2.0 2.0 1",
            "m2 t2 1d 0 2.0 2.0 2.0 1",
            "m2 t3 1d 0 3.0 3.0 3.0 1",
            "m2 t4 1d 0 4.0 4.0 4.0 1");
  }

  /** The series come in the same order each hour: nothing but the first row of each allocates. */
  @ParameterizedTest
  @ValueSource(strings = {"1d", "6h", "2h,6h,1d"})
  void rowsOfSeriesThatAreKnownAllocateNothing(String intervals) throws Exception {
    List<RollupInterval> all = Stream.of(intervals.split(",", -1)).map(CONFIG::interval).toList();
    DayRoller days =
        new DayRoller(
            new RollupIntervals(all),
            new RowKey(StorageSchema.defaults()),
            null,
            new MetricSelector(SuiteConfig.NONE, (kind, uid, out) -> false),
            1 << 20);
    PointBuffer points = new PointBuffer();
    points.addDouble(0, false, 0.5);
    byte[][] rows = new byte[24 * 100][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row(1, i / 100 * HOUR, i % 100);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = 0; i < rows.length; i++) {
      // The first hours also load classes.
      if (i == 200) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      days.enter(rows[i], 0, sink, books);
      days.add(rows[i], 0, rows[i].length, points, books);
    }
    // A byte a row at most; an object has sixteen.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(rows.length);
    assertThat(books.count(Count.DAYS_READ)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1d", "6h,1d"})
  void moreSeriesThanThereIsMemoryForIsSaid(String intervals) {
    roller = roller(100_000, intervals.split(",", -1));
    assertThatThrownBy(
            () -> {
              for (int time = 0; time < 24; time++) {
                for (int host = 1; host < 250; host++) {
                  byte[] row = row(1, time * HOUR, host);
                  row[10] = (byte) time;
                  rollPoints(row, 1);
                }
              }
            })
        .isInstanceOf(JobException.class)
        .hasMessageMatching(
            "metric UID 000001 has more than \\d+ series on 2024-10-04: .* or leave "
                + intervals
                + " out");
  }
}
