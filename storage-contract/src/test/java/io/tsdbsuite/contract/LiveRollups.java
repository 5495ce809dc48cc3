package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Writes rollup cells with storage-format and queries them from a TSD without raw data. */
final class LiveRollups {
  private static final int SERIES = 3;
  private static final int TIMES = 60;

  /** The leap year 2024: 2024-01-01T00:00:00Z to 2025-01-01T00:00:00Z. */
  private static final long FROM = 1_704_067_200L;

  private static final long TO = 1_735_689_600L;
  private static final long STAMP = 1_700_000_000_000L;
  private static final long[] COUNTS = {0, 1, 60, 255, 256, 3600, 1L << 31, 1L << 52};
  private static final double[] DOUBLES = {0.0, -0.0, 0.1, -7, 1e300, 4.9e-324, 1L << 31};

  private final Random random = new Random(Seed.VALUE);
  private final LiveTsd tsd;
  private final RollupConfig config;
  private final String metric;

  LiveRollups(LiveTsd tsd, RollupConfig config, String metric) {
    this.tsd = tsd;
    this.config = config;
    this.metric = metric;
  }

  /** The intervals with their own tables. */
  List<RollupInterval> intervals() {
    return config.intervals().stream().filter(each -> !each.defaultInterval()).toList();
  }

  /**
   * Writes sum, minimum, maximum and count of some series and intervals of the year, including its
   * first and last, and queries each of them and the average.
   *
   * @return number of compared values
   */
  int writeAndCompare(RollupInterval interval) throws IOException {
    Map<RollupKey, Double> sums = new TreeMap<>();
    Map<RollupKey, Double> minima = new TreeMap<>();
    Map<RollupKey, Double> maxima = new TreeMap<>();
    Map<RollupKey, Double> counts = new TreeMap<>();
    Map<RollupKey, Double> averages = new TreeMap<>();
    int perYear = Math.toIntExact((TO - FROM) / interval.seconds());
    for (int series = 0; series < SERIES; series++) {
      for (int i = 0; i < TIMES; i++) {
        int n = i == 0 ? 0 : i == 1 ? perYear - 1 : random.nextInt(perYear);
        long time = FROM + n * interval.seconds();
        RollupKey key = new RollupKey(metric, LiveTsd.tags(series), time);
        double sum = number();
        double min = number();
        double max = number();
        long count = COUNTS[random.nextInt(COUNTS.length)];
        // The same instant again overwrites the cell, because each aggregator has one width.
        write(interval, series, time, "sum", RollupCell.doubleValue(sum), i);
        write(interval, series, time, "min", RollupCell.doubleValue(min), i);
        write(interval, series, time, "max", RollupCell.doubleValue(max), i);
        write(interval, series, time, "count", RollupCell.countValue(count), i);
        sums.put(key, 0.0 + sum);
        minima.put(key, min);
        maxima.put(key, max);
        counts.put(key, (double) count);
        averages.put(key, count == 0 ? 0.0 : (0.0 + sum) / count);
      }
    }
    tsd.write();
    compare(interval, "sum", sums);
    compare(interval, "min", minima);
    compare(interval, "max", maxima);
    compare(interval, "count", counts);
    compare(interval, "avg", averages);
    return 5 * sums.size();
  }

  private double number() {
    return random.nextInt(4) == 0
        ? DOUBLES[random.nextInt(DOUBLES.length)]
        : random.nextGaussian() * 1e6;
  }

  private void write(
      RollupInterval interval, int series, long time, String aggregator, byte[] value, int newer) {
    // A random instant in the interval, which the cell represents as a whole.
    long within = time + random.nextInt((int) interval.seconds());
    long base = interval.baseTime(within);
    int offset = RollupCell.offset(interval, base, within);
    int id = config.aggregatorId(aggregator);
    byte[] qualifier =
        aggregator.equals("count")
            ? RollupCell.countQualifier(id, offset)
            : RollupCell.doubleQualifier(id, offset);
    byte[] key = tsd.rowKey(metric, series, base);
    tsd.add(interval.table(), key, qualifier, STAMP + newer, value);
  }

  private void compare(
      RollupInterval interval, String aggregator, Map<RollupKey, Double> expected) {
    String downsample = interval.interval() + "-" + aggregator;
    Map<RollupKey, Double> answers = tsd.ask(metric, FROM, TO, downsample, "ROLLUP_NOFALLBACK");
    expected.forEach(
        (key, value) ->
            assertThat(answers.remove(key))
                .as("%s %s, -Dtest.seed=%d", downsample, key, Seed.VALUE)
                .isEqualTo(value));
    assertThat(answers).as("more answers to %s", downsample).isEmpty();
  }
}
