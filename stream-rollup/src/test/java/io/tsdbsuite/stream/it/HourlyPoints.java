package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Hours of drawn points in the order of time, and the rollups that they must become. */
final class HourlyPoints {
  static final int PARTITIONS = 2;

  /** Midnight of 19 November 2025, UTC. */
  static final long DAY = 1763510400;

  private static final int SERIES = 20;

  private final Random random = Seed.random();
  private final SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();

  /** The values in the order of time, by series and hour. */
  private final SortedMap<RollupKey, double[]> values = new TreeMap<>();

  /** Sketches that clients send, in messages of their own, by series and time. */
  private final SortedMap<RollupKey, byte[]> sketches = new TreeMap<>();

  private boolean hasSketches;
  private final String metric;
  private final Points points;
  private long sent;

  HourlyPoints(String metric, Points points) {
    this.metric = metric;
    this.points = points;
  }

  /** Sends also sketches, of a series with a point an hour and of one without points. */
  HourlyPoints withSketches() {
    hasSketches = true;
    return this;
  }

  private String ofSketches() {
    return metric + ".sketches";
  }

  private void sendSketches(long time) {
    for (String host : List.of("alone", "mixed")) {
      Sketch sketch = new Sketch();
      sketch.addAll(new double[] {random.nextGaussian(), random.nextInt(3)}, 0, 2);
      points.sketch(0, time, ofSketches(), host, sketch.bytes());
      sketches.put(
          new RollupKey(ofSketches(), new TreeMap<>(Map.of("host", host)), time), sketch.bytes());
      sent++;
    }
    if (time % 3600 < 600) {
      points.add(0, time * 1000, ofSketches(), "mixed", time, "5");
      sent++;
    }
  }

  /** Number of points and sketches sent. */
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
    double[][] all = new double[SERIES][120];
    for (int second = 0; second < 3600; second += 30) {
      if (hasSketches && second % 600 == 0) {
        sendSketches(start + second);
      }
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
        all[series][second / 30] = value;
        sums[series] += value;
        mins[series] = second == 0 ? value : Math.min(mins[series], value);
        maxs[series] = second == 0 ? value : Math.max(maxs[series], value);
      }
    }
    for (int series = 0; series < SERIES; series++) {
      RollupKey key = new RollupKey(metric, new TreeMap<>(Map.of("host", "h" + series)), start);
      expected.put(key, new RollupValues(sums[series], mins[series], maxs[series], 120));
      values.put(key, all[series]);
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

  /** Requires also what {@link JobRun#suite} adds to hours, and to the day of all hours. */
  void checkSuite(JobRun run) {
    List<JsonNode> messages = new Output(run).messages(metric);
    for (JsonNode message : messages) {
      String interval = message.get("interval").asText();
      JsonNode found = message.get("values");
      if (interval.equals("10m")) {
        assertThat(message.get("v").asInt()).isEqualTo(1);
        continue;
      }
      String host = message.at("/tags/host").asText();
      double[] points =
          values.entrySet().stream()
              .filter(each -> each.getKey().tags().get("host").equals(host))
              .filter(
                  each ->
                      interval.equals("1d")
                          || each.getKey().timestamp() == message.get("timestamp").asLong())
              .flatMapToDouble(each -> Arrays.stream(each.getValue()))
              .toArray();
      BucketHistogram sketch = new BucketHistogram(HistogramCodecs.NONE);
      sketch.addPoints(points, 0, points.length);
      assertThat(message.get("v").asInt()).isEqualTo(2);
      assertThat(message.at("/histogram/codec").asText()).isEqualTo(HistogramCodecs.SKETCH);
      assertThat(Base64.getDecoder().decode(message.at("/histogram/value").asText()))
          .isEqualTo(sketch.bytes());
      assertThat(found.has("p99")).isEqualTo(interval.equals("1h"));
      if (interval.equals("1h")) {
        assertThat(found.get("last").asDouble()).isEqualTo(points[points.length - 1]);
        Arrays.sort(points);
        assertThat(found.get("p99").asDouble())
            .isEqualTo(Percentiles.of(points, 0, points.length, 99));
      }
    }
    assertThat(messages)
        .anyMatch(each -> each.get("interval").asText().equals("1h"))
        .anyMatch(each -> each.get("interval").asText().equals("1d"));
    if (hasSketches) {
      checkSketches(run);
    }
  }

  private void checkSketches(JobRun run) {
    Set<String> found = new TreeSet<>();
    for (JsonNode message : new Output(run).messages(ofSketches())) {
      String interval = message.get("interval").asText();
      String host = message.at("/tags/host").asText();
      long start = message.get("timestamp").asLong();
      found.add(host + " " + interval + " " + start);
      if (interval.equals("10m")) {
        assertThat(message.has("histogram")).isFalse();
        continue;
      }
      long end = start + (interval.equals("1h") ? 3600 : 86400);
      Sketch sum = new Sketch();
      sketches.forEach(
          (key, each) -> {
            if (key.tags().get("host").equals(host)
                && key.timestamp() >= start
                && key.timestamp() < end) {
              sum.add(each, 0, each.length);
            }
          });
      assertThat(Base64.getDecoder().decode(message.at("/histogram/value").asText()))
          .isEqualTo(sum.bytes());
      assertThat(message.get("values").isEmpty()).isEqualTo(host.equals("alone"));
      assertThat(message.get("asOf").asLong())
          .isEqualTo(end * 1000 - (host.equals("alone") ? 1 : 0));
    }
    Set<String> all = new TreeSet<>();
    for (RollupKey key : sketches.keySet()) {
      String host = key.tags().get("host");
      all.add(host + " 1d " + DAY);
      all.add(host + " 1h " + (key.timestamp() - key.timestamp() % 3600));
      if (host.equals("mixed")) {
        all.add(host + " 10m " + (key.timestamp() - key.timestamp() % 3600));
      }
    }
    assertThat(found).isEqualTo(all);
    assertThat(new Output(run).requests(ofSketches())).isEmpty();
  }
}
