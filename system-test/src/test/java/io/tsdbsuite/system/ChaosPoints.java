package io.tsdbsuite.system;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The points of a storm, and the last value of each. Points of {@link #BY_KAFKA} come through
 * Kafka: some are rewritten, some are up to two days late. Points of {@link #BY_HTTP} are put into
 * the TSD; only the batch makes their rollups.
 */
final class ChaosPoints {
  static final String BY_KAFKA = "chaos.kafka";
  static final String BY_HTTP = "chaos.http";

  /** Seconds of the points that one round adds. */
  static final int ROUND = 1800;

  private static final int SERIES = 12;
  private static final int STEP = 20;
  private static final int HTTP_STEP = 300;
  private static final int LATEST = 2 * 24 * 3600;

  /** Values of two bytes: a rewrite goes to the same column. */
  private static final int LEAST = 1000;

  private final Random random;
  private final long start;
  private final InputPoints messages = new InputPoints();

  /** The last value by metric, host and second. */
  private final Map<String, Map<String, SortedMap<Long, Long>>> last = new TreeMap<>();

  private final List<DataPoint> byHttp = new ArrayList<>();

  /**
   * @param start first second
   */
  ChaosPoints(Random random, long start) {
    this.random = random;
    this.start = start;
  }

  private long value() {
    return LEAST + (long) random.nextInt(20_000);
  }

  private void remember(String metric, String host, long time, long value) {
    last.computeIfAbsent(metric, name -> new TreeMap<>())
        .computeIfAbsent(host, name -> new TreeMap<>())
        .put(time, value);
  }

  /** Draws the points of the next seconds. */
  void draw(long from) {
    for (int series = 0; series < SERIES; series++) {
      String host = "h" + series;
      int partition = series % SystemStack.PARTITIONS;
      for (long time = from + random.nextInt(STEP); time < from + ROUND; time += STEP) {
        kafka(partition, host, time, time * 1000 + 500);
        if (random.nextInt(200) == 0) {
          // A rewrite within the slack.
          kafka(partition, host, time, time * 1000 + 2500);
        }
      }
      if (random.nextInt(4) == 0) {
        long late = from + ROUND - 1 - random.nextInt(LATEST);
        kafka(partition, host, Math.max(late, start), (from + ROUND - 1) * 1000);
      }
      for (long time = from + random.nextInt(HTTP_STEP); time < from + ROUND; time += HTTP_STEP) {
        long value = value();
        byHttp.add(new DataPoint(BY_HTTP, time, value, Map.of("host", host)));
        remember(BY_HTTP, host, time, value);
      }
    }
    messages.tick(from + ROUND);
  }

  private void kafka(int partition, String host, long time, long sentMillis) {
    long value = value();
    messages.add(partition, sentMillis, InputPoints.point(BY_KAFKA, host, time, value));
    remember(BY_KAFKA, host, time, value);
  }

  /** The messages of the points drawn last. */
  InputPoints messages() {
    return messages;
  }

  /** The points drawn since the last call, for the TSD. */
  List<DataPoint> takeByHttp() {
    List<DataPoint> taken = List.copyOf(byHttp);
    byHttp.clear();
    return taken;
  }

  /** Number of points of a metric, each instant of a series once. */
  long points(String metric) {
    return last.getOrDefault(metric, Map.of()).values().stream().mapToLong(Map::size).sum();
  }

  /** What the points make, by series and bucket. */
  SortedMap<RollupKey, RollupValues> rollups(String metric, long width) {
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    last.getOrDefault(metric, Map.of())
        .forEach(
            (host, points) ->
                points.forEach(
                    (time, value) ->
                        all.merge(
                            new RollupKey(
                                metric, new TreeMap<>(Map.of("host", host)), time - time % width),
                            new RollupValues(value, value, value, 1),
                            ChaosPoints::sum)));
    return all;
  }

  private static RollupValues sum(RollupValues one, RollupValues other) {
    return new RollupValues(
        one.sum() + other.sum(),
        Math.min(one.min(), other.min()),
        Math.max(one.max(), other.max()),
        one.count() + other.count());
  }
}
