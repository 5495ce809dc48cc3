package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    RepairSums sums = new RepairSums(plan, hours, StorageSchema.defaults());
    while (sums.hours() < plan.hours()) {
      long base = plan.firstRow() + (long) sums.hours() * HOUR;
      List<KeyValue> row = new ArrayList<>();
      for (int second = random.nextInt(900); second < HOUR; second += 1 + random.nextInt(900)) {
        double value = random.nextGaussian() * Math.pow(10, random.nextInt(20));
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
            expected.put(target.interval.interval() + " " + start, text(sum));
          }
        }
      }
    }
    Map<String, String> found = new TreeMap<>();
    for (RepairSums.Bucket bucket : sums.buckets()) {
      String before =
          found.put(bucket.target.interval.interval() + " " + bucket.start, text(bucket.values));
      assertThat(before).as("each bucket once").isNull();
    }
    assertThat(found).isEqualTo(expected).hasSizeGreaterThanOrEqualTo(targets.size());
  }

  /** What was lost may have been the deletion of a bucket. */
  @Test
  void anHourWithAnEmptyBucketIsNotFull() throws BadMessageException {
    RepairPlan plan = RepairPlanTest.plan(DAY, "'10m','1h','6h'", Long.MAX_VALUE);
    RepairSums sums = new RepairSums(plan, Set.of(DAY, DAY + HOUR), StorageSchema.defaults());
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

  private static KeyValue cell(int second, double value) {
    byte[] qualifier = ByteBuffer.allocate(2).putShort((short) (second << 4 | 0xf)).array();
    byte[] bytes = ByteBuffer.allocate(8).putDouble(value).array();
    return new KeyValue(new byte[] {1}, new byte[] {'t'}, qualifier, 1, bytes);
  }

  private static String text(PointSummary sum) {
    return sum.sum() + " " + sum.min() + " " + sum.max() + " " + sum.count();
  }
}
