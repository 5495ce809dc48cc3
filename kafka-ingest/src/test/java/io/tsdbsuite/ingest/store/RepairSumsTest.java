package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramMerger;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.opentsdb.core.Aggregator;
import net.opentsdb.core.Aggregators;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepairSumsTest {
  private static final long DAY = 1763510400L;
  private static final int HOUR = 3600;

  /** Each bucket is added up from its own points: a sum of sums has other last bits. */
  @ParameterizedTest
  @CsvSource({
    "'6h', 7, 7",
    "'1h,6h,1d', 0, 0",
    "'6h,10m,1d', 23, 23",
    "'4h,6h', 7, 7",
    "'8h,1h,12h,6h', 13, 13",
    // Other hours, too.
    "'1h,6h,1d', 5, '0,5,6,23'",
    "'10m,4h,6h', 7, '6,7,11'"
  })
  void everyBucketIsTheSumOfItsPointsToTheLastBit(String intervals, int hour, String written)
      throws BadMessageException {
    everyBucketIsThatOfItsPoints("m", intervals, hour, written);
    everyBucketIsThatOfItsPoints("more.m", intervals, hour, written);
    everyBucketIsThatOfItsPoints("more.hist", intervals, hour, written);
  }

  private static void everyBucketIsThatOfItsPoints(
      String metric, String intervals, int hour, String written) throws BadMessageException {
    Set<Long> hours = new TreeSet<>();
    for (String each : written.split(",", -1)) {
      hours.add(DAY + Long.parseLong(each) * HOUR);
    }
    RepairPlan plan =
        RepairPlanTest.plan(
            DAY + (long) hour * HOUR, "'" + intervals.replace(",", "','") + "'", Long.MAX_VALUE);
    Random random = Seed.random();
    TreeMap<Long, Double> points = new TreeMap<>();
    assertThat(plan.repairable()).containsAll(hours);
    Selection selection = RepairPlanTest.schema().selection(metric);
    RepairSums sums = sums(plan, hours, metric, RowMemory.LIMIT);
    while (sums.hours() < plan.hours()) {
      long base = plan.firstRow() + (long) sums.hours() * HOUR;
      List<KeyValue> row = new ArrayList<>();
      for (int second = random.nextInt(900); second < HOUR; second += 1 + random.nextInt(900)) {
        double value =
            switch (random.nextInt(8)) {
              case 0 -> Double.NaN;
              case 1 -> random.nextInt(3) - 1;
              default -> random.nextGaussian() * Math.pow(10, random.nextInt(20));
            };
        points.put(base + second, value);
        row.add(cell(second, value));
      }
      sums.add(List.of(row));
    }
    Map<String, String> expected = new TreeMap<>();
    List<RollupTarget> targets = new ArrayList<>(plan.ofHour());
    targets.addAll(plan.ofHours());
    for (RollupTarget target : targets) {
      for (long each : hours) {
        long end =
            target.interval.seconds() < HOUR ? each + HOUR : RepairPlan.start(target, each) + 1;
        for (long start = RepairPlan.start(target, each);
            start < end;
            start += target.interval.seconds()) {
          PointSummary sum = new PointSummary();
          points.subMap(start, start + target.interval.seconds()).values().forEach(sum::add);
          if (sum.count() > 0) {
            StringBuilder text = new StringBuilder(text(sum));
            List<Double> values =
                new ArrayList<>(points.subMap(start, start + target.interval.seconds()).values());
            values.removeIf(value -> Double.isNaN(value));
            for (String name : selection.aggregators(target.interval.interval())) {
              text.append(' ').append(name).append('=').append(opentsdb(name, values) + 0.0);
            }
            if (selection.histogram(target.interval.interval())) {
              Sketch sketch = new Sketch();
              values.forEach(sketch::add);
              text.append(' ').append(HexFormat.of().formatHex(sketch.bytes()));
            }
            expected.put(target.interval.interval() + " " + start, text.toString());
          }
        }
      }
    }
    Map<String, String> found = new TreeMap<>();
    for (RepairSums.Bucket bucket : sums.buckets()) {
      String before =
          found.put(bucket.target.interval.interval() + " " + bucket.start, text(bucket));
      assertThat(before).as("each bucket once").isNull();
    }
    assertThat(found).isEqualTo(expected).hasSizeGreaterThanOrEqualTo(targets.size());
  }

  /** What was lost may have been the deletion of a bucket. */
  @Test
  void anHourWithAnEmptyBucketIsNotFull() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'10m','1h','6h'", Long.MAX_VALUE);
    RepairSums sums = sums(plan, Set.of(DAY, DAY + HOUR), "m", RowMemory.LIMIT);
    for (int hour = 0; hour < 6; hour++) {
      List<KeyValue> row = new ArrayList<>();
      for (int second = 600 * hour; second < HOUR; second += 600) {
        row.add(cell(second, 1));
      }
      sums.add(List.of(row));
    }
    assertThat(sums.buckets()).hasSize(6 + 5 + 2 + 1);
    assertThat(sums.isFull(DAY)).isTrue();
    assertThat(sums.isFull(DAY + HOUR)).isFalse();
  }

  /** Only hours of buckets whose percentiles are wanted are kept, up to the limit. */
  @Test
  void moreValuesThanTheLimitAreRefused() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'1h','6h','12h'", Long.MAX_VALUE);
    List<KeyValue> row = List.of(cell(1, 1), cell(2, 3), cell(3, 2));
    // 12h has no further aggregators, so its other six hours are not kept.
    RepairSums fits = sums(plan, Set.of(DAY), "more.m", 18 * 16);
    RepairSums one = sums(plan, Set.of(DAY), "more.m", 18 * 16 - 1);
    RepairSums four = sums(plan, Set.of(DAY), "m", 0);
    for (int hour = 0; hour < 12; hour++) {
      fits.add(List.of(row));
      assertThat(fits.bytes()).isLessThanOrEqualTo(18 * 16);
      four.add(List.of(row));
      if (hour < 5) {
        one.add(List.of(row));
      }
    }
    String further = " p50=2.0 p99=3.0 p999=3.0 first=1.0 last=2.0";
    assertThat(fits.buckets())
        .extracting(each -> text(each))
        .containsExactly("6.0 1.0 3.0 3" + further, "36.0 1.0 3.0 18" + further, "72.0 1.0 3.0 36");
    assertThat(fits.bytes()).isZero();
    assertThat(four.buckets()).hasSize(3);
    BadMessageException refused =
        catchThrowableOfType(BadMessageException.class, () -> one.add(List.of(row)));
    assertThat(refused.reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(refused)
        .hasMessage(
            "the points of metric more.m for percentiles, first and last of all buckets above 1h of"
                + " a request must be at most 17, found 18 or more");
  }

  /** The distance of the two values is more than the greatest double, their sum is not. */
  @ParameterizedTest
  @ValueSource(strings = {"'1h'", "'6h'"})
  void aPercentileThatIsNotFiniteIsRefused(String interval) throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, interval, Long.MAX_VALUE);
    BadMessageException refused =
        catchThrowableOfType(
            BadMessageException.class,
            () -> rolledUp(plan, "more.m", cell(1, -1.5e308), cell(2, 1.5e308)));
    assertThat(refused.reason()).isEqualTo(Reason.NOT_FINITE);
    assertThat(refused)
        .hasMessageStartingWith(
            "the p50 of " + interval.replace("'", "") + " from " + DAY + " must");
    assertThat(rolledUp(plan, "m", cell(1, -1.5e308), cell(2, 1.5e308)).rollup.sum()).isZero();
    refused =
        catchThrowableOfType(
            BadMessageException.class,
            () -> rolledUp(plan, "more.m", cell(1, 1.5e308), cell(2, 1.5e308)));
    assertThat(refused).hasMessageStartingWith("the sum of ");
  }

  /** Buckets with cells have their sum, those without the sketch of their points. */
  @Test
  void histogramCellsAreMerged() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'10m','1h','4h','1d'", Long.MAX_VALUE);
    RepairSums sums = sums(plan, Set.of(DAY), "a.hist", RowMemory.LIMIT);
    RepairSums other = sums(plan, Set.of(DAY), "other", RowMemory.LIMIT);
    HistogramMerger hour = HistogramMerger.of(HistogramCodecs.SIMPLE);
    HistogramMerger day = HistogramMerger.of(HistogramCodecs.SIMPLE);
    for (int i = 0; i < 24; i++) {
      List<KeyValue> row = new ArrayList<>();
      for (int second = i; second < 1200; second += 300) {
        byte[] cell = simple(1 + second, 42);
        row.add(histogram(HistogramColumn.of(second), cell));
        day.add(cell, 1, cell.length - 1);
        if (i == 0) {
          hour.add(cell, 1, cell.length - 1);
        }
      }
      if (i == 0) {
        // No other bucket of 10m has both.
        row.add(cell(600, 2.5));
        row.add(cell(1200, 3));
        row.add(cell(1300, Double.NaN));
      }
      sums.add(List.of(row));
      other.add(List.of(row));
    }
    List<RepairSums.Bucket> buckets = sums.buckets();
    Map<String, String> found = new TreeMap<>();
    for (RepairSums.Bucket bucket : buckets) {
      assertThat(bucket.rollup.isDeletion()).isFalse();
      found.put(
          bucket.target.interval.interval() + " " + (bucket.start - DAY),
          bucket.rollup.hasValues() + " " + bucket.rollup.codec());
    }
    String simple = HistogramCodecs.SIMPLE;
    assertThat(found)
        .isEqualTo(
            Map.of(
                "10m 0", "false " + simple,
                "10m 600", "true " + simple,
                "10m 1200", "true " + HistogramCodecs.SKETCH,
                "1h 0", "true " + simple,
                "4h 0", "true null",
                "1d 0", "true " + simple));
    for (RepairSums.Bucket bucket : buckets) {
      if (bucket.target.interval.interval().equals("1h")) {
        assertThat(bucket.rollup.histogram()).isEqualTo(hour.bytes());
      } else if (bucket.target.interval.interval().equals("1d")) {
        assertThat(bucket.rollup.histogram()).isEqualTo(day.bytes());
        assertThat(text(bucket)).startsWith("5.5 2.5 3.0 2 ");
      }
    }
    // 10m 600, 1h and 1d have points that are not in their histograms.
    assertThat(sums.odd()).isEqualTo(3);
    assertThat(sums.isOdd(DAY + 23 * HOUR)).isTrue();
    assertThat(other.buckets())
        .allSatisfy(bucket -> assertThat(bucket.rollup.codec()).isNull())
        .hasSize(5);
    assertThat(other.odd()).isZero();
  }

  /** The values that are stored beside them are deleted. */
  @Test
  void anHourWithHistogramsAloneIsFull() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'1h'", Long.MAX_VALUE);
    RepairSums sums = sums(plan, Set.of(DAY), "a.hist", RowMemory.LIMIT);
    sums.add(List.of(List.of(histogram(HistogramColumn.of(7), simple(1, 42)))));
    List<RepairSums.Bucket> buckets = sums.buckets();
    assertThat(buckets.get(0).rollup.hasValues()).isFalse();
    assertThat(sums.isFull(DAY)).isTrue();
    assertThat(sums.isOdd(DAY)).isFalse();
    RepairResult result = RepairResult.written(1, buckets, sums.odd());
    assertThat(result.values()).isOne();
    assertThat(result.histograms()).isOne();
    assertThat(result.deletions()).isOne();
  }

  /** Those of rollups are their bytes alone, those of buckets above an hour what they hold. */
  @Test
  void memoryOfHistogramsIsCounted() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'10m','1h','1d'", Long.MAX_VALUE);
    RepairSums sums = sums(plan, Set.of(DAY, DAY + HOUR), "a.hist", RowMemory.LIMIT);
    List<KeyValue> row = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ByteBuffer cell = ByteBuffer.allocate(5 + 9 * 1000).put((byte) 42).putShort((short) 1000);
      for (int k = 0; k < 1000; k++) {
        cell.putFloat(k).putFloat(k + 1).put((byte) 1);
      }
      row.add(histogram(HistogramColumn.of(600 * i), cell.array()));
    }
    assertThat(sums.bytes()).isZero();
    sums.add(List.of(row));
    // 6 of 10m, 1 of 1h; the sum of the day, and the last histogram added to it.
    assertThat(sums.bytes()).isBetween(7 * 9000L + 2000 * 80, 7 * 9010L + 2000 * 120);
    long before = sums.bytes();
    sums.add(List.of(row));
    assertThat(sums.bytes() - before).isBetween(7 * 9000L, 7 * 9010L);
    while (sums.hours() < 24) {
      sums.add(List.of());
    }
    assertThat(sums.buckets()).hasSize(15);
    assertThat(sums.bytes()).isBetween(15 * 9000L, 15 * 9010L);
  }

  /** A sketch of more than 4,096 bins has no bytes. */
  @Test
  void aHistogramThatIsTooWideIsLeftOut() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'1h','6h'", Long.MAX_VALUE);
    RepairSums sums = sums(plan, Set.of(DAY), "a.hist", RowMemory.LIMIT);
    for (int i = 0; i < 6; i++) {
      List<KeyValue> row = new ArrayList<>();
      for (int second = 0; second < 3000 && i < 2; second++) {
        row.add(cell(second, Math.pow(1.03, 3000 * i + second)));
      }
      sums.add(List.of(row));
    }
    assertThat(sums.buckets())
        .extracting(bucket -> bucket.target.interval.interval() + " " + bucket.rollup.codec())
        .containsExactly("1h " + HistogramCodecs.SKETCH, "6h null");
    assertThat(sums.odd()).isOne();
    assertThat(sums.isOdd(DAY)).isTrue();
    assertThat(sums.isOdd(DAY + 6 * HOUR)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // Column, value, then the reason and the message.
    "060007, 63ff, UNKNOWN_CODEC, histogram codec 99 must be in tsd.core.histograms.config",
    "060007, 2bff, CORRUPT_CELL, sketch",
    "060007, 2a00, CORRUPT_CELL, SimpleHistogram",
    "060007, '', CORRUPT_CELL, a histogram must begin with the id of its codec",
    "060e10, 2a, CORRUPT_CELL, the offset of a histogram must be below",
    "0600000001, 2b010a010000, CORRUPT_CELL, must have one codec",
    "06000f4240, 2a00010000000000000000010000, CORRUPT_CELL, an instant must have one histogram"
  })
  void aHistogramThatCannotBeMergedIsRefused(
      String column, String value, Reason reason, String message) throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'1h','1d'", Long.MAX_VALUE);
    List<KeyValue> row =
        List.of(
            histogram(HistogramColumn.of(1000), simple(1, 42)),
            histogram(HexFormat.of().parseHex(column), HexFormat.of().parseHex(value)));
    BadMessageException refused =
        catchThrowableOfType(
            BadMessageException.class,
            () -> sums(plan, Set.of(DAY), "a.hist", RowMemory.LIMIT).add(List.of(row)));
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused).hasMessageContaining(String.valueOf(DAY)).hasMessageContaining(message);
    // Those of other metrics are not looked at.
    sums(plan, Set.of(DAY), "m", RowMemory.LIMIT).add(List.of(row));
  }

  /** Before it comes to the sketch, which takes no infinity. */
  @Test
  void anInfinitePointHasNoHistogram() throws BadMessageException {
    for (String interval : List.of("'1h'", "'6h'")) {
      RepairPlan plan = RepairPlanTest.plan(DAY, interval, Long.MAX_VALUE);
      BadMessageException refused =
          catchThrowableOfType(
              BadMessageException.class,
              () -> rolledUp(plan, "a.hist", cell(1, Double.POSITIVE_INFINITY)));
      assertThat(refused.reason()).isEqualTo(Reason.NOT_FINITE);
      assertThat(refused).hasMessageStartingWith("the sum of " + interval.replace("'", ""));
    }
  }

  /** A SimpleHistogram of one bucket, with an id before it. */
  private static byte[] simple(int count, int id) {
    return ByteBuffer.allocate(14)
        .put((byte) id)
        .putShort((short) 1)
        .putFloat(count % 7)
        .putFloat(10)
        .put((byte) (count % 100 + 1))
        .put((byte) 0)
        .put((byte) 1)
        .array();
  }

  private static KeyValue histogram(byte[] qualifier, byte[] value) {
    return new KeyValue(new byte[] {1}, new byte[] {'t'}, qualifier, 1, value);
  }

  private static RepairSums.Bucket rolledUp(RepairPlan plan, String metric, KeyValue... row)
      throws BadMessageException {
    RepairSums sums = sums(plan, Set.of(DAY), metric, RowMemory.LIMIT);
    sums.add(List.of(List.of(row)));
    while (sums.hours() < plan.hours()) {
      sums.add(List.of());
    }
    return sums.buckets().get(0);
  }

  private static RepairSums sums(RepairPlan plan, Set<Long> hours, String metric, long maxBytes) {
    return new RepairSums(
        plan,
        hours,
        StorageSchema.defaults(),
        metric,
        RepairPlanTest.schema().selection(metric),
        RepairPlanTest.schema().codecs(),
        maxBytes);
  }

  /** What OpenTSDB's own aggregator computes. */
  private static double opentsdb(String name, List<Double> values) {
    Iterator<Double> each = values.iterator();
    return Aggregators.get(name)
        .runDouble(
            new Aggregator.Doubles() {
              @Override
              public boolean hasNextValue() {
                return each.hasNext();
              }

              @Override
              public double nextDoubleValue() {
                return each.next();
              }
            });
  }

  private static KeyValue cell(int second, double value) {
    byte[] qualifier = ByteBuffer.allocate(2).putShort((short) (second << 4 | 0xf)).array();
    byte[] bytes = ByteBuffer.allocate(8).putDouble(value).array();
    return new KeyValue(new byte[] {1}, new byte[] {'t'}, qualifier, 1, bytes);
  }

  private static String text(RepairSums.Bucket bucket) {
    RollupValues rollup = bucket.rollup;
    StringBuilder text = new StringBuilder();
    text.append(rollup.sum()).append(' ').append(rollup.min()).append(' ').append(rollup.max());
    text.append(' ').append(rollup.count());
    for (int i = 0; i < rollup.names().size(); i++) {
      // The sign of a zero among zeros is not decided.
      text.append(' ').append(rollup.names().get(i)).append('=').append(rollup.further(i) + 0.0);
    }
    if (rollup.codec() != null) {
      text.append(' ').append(HexFormat.of().formatHex(rollup.histogram()));
    }
    return text.toString();
  }

  private static String text(PointSummary sum) {
    return sum.sum() + " " + sum.min() + " " + sum.max() + " " + sum.count();
  }
}
