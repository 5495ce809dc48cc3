package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
    return text.toString();
  }

  private static String text(PointSummary sum) {
    return sum.sum() + " " + sum.min() + " " + sum.max() + " " + sum.count();
  }
}
