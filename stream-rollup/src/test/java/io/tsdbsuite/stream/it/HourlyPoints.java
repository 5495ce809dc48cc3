package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Hours of drawn points in the order of time, and the rollups that they must become. */
final class HourlyPoints {
  static final int PARTITIONS = 2;

  /** Midnight of 19 November 2025, UTC. */
  static final long DAY = 1763510400;

  private static final int SERIES = 20;

  private final Random random = Seed.random();
  private final SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
  private final String metric;
  private final Points points;
  private long sent;

  HourlyPoints(String metric, Points points) {
    this.metric = metric;
    this.points = points;
  }

  /** Number of points sent. */
  long sent() {
    return sent;
  }

  /** Sends a first message to each partition: a job that starts with none starts now. */
  void begin() {
    points.tick(DAY - 3600);
    sent += PARTITIONS;
    points.send(StreamStack.get().kafka().topics());
  }

  /** Sends an hour of each series. */
  void send(int hour) {
    long start = DAY + hour * 3600L;
    points.tick(start);
    sent += PARTITIONS;
    double[] sums = new double[SERIES];
    double[] mins = new double[SERIES];
    double[] maxs = new double[SERIES];
    for (int second = 0; second < 3600; second += 30) {
      for (int series = 0; series < SERIES; series++) {
        double value = random.nextGaussian() * 1e6;
        points.add(
            series % PARTITIONS,
            (start + second) * 1000,
            metric,
            "h" + series,
            start + second,
            Double.toString(value));
        sent++;
        sums[series] += value;
        mins[series] = second == 0 ? value : Math.min(mins[series], value);
        maxs[series] = second == 0 ? value : Math.max(maxs[series], value);
      }
    }
    for (int series = 0; series < SERIES; series++) {
      expected.put(
          new RollupKey(metric, new TreeMap<>(Map.of("host", "h" + series)), start),
          new RollupValues(sums[series], mins[series], maxs[series], 120));
    }
    points.send(StreamStack.get().kafka().topics());
  }

  /** Moves the watermark two days on, so that all is emitted. */
  void end() {
    points.tick(DAY + 2 * 86400).tick(DAY + 3 * 86400);
    sent += 2 * PARTITIONS;
    points.send(StreamStack.get().kafka().topics());
  }

  /** Requires that every rollup of an hour is written and right, and none is left to repair. */
  void check(JobRun topics) {
    assertThat(new Output(topics).rollups(metric).get("1h")).isEqualTo(expected);
    assertThat(new Output(topics).requests(metric)).isEmpty();
  }
}
