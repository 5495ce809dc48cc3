package io.tsdbsuite.bench.stream;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.stream.flink.PointReader;
import io.tsdbsuite.stream.series.IncompleteTimes;
import io.tsdbsuite.stream.series.Outcome;
import io.tsdbsuite.stream.series.SeriesAggregator;
import io.tsdbsuite.stream.series.StreamIntervals;
import io.tsdbsuite.stream.series.StreamPoint;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * The steps of stream-rollup's work on a point, one more each time, in one thread and without
 * Flink. CPU is that of the thread, without the collector.
 */
final class StepsKernel {
  /** Reads the JSON. */
  static final String JSON = "message read (Jackson)";

  /** Makes the point. */
  static final String POINT = "number, names, hash";

  /** Sends it to a task. */
  static final String SEND = "serialized for another task and back";

  /** Adds it to its state. */
  static final String STATE = "state: slack and three intervals, in a HashMap";

  /** In the order of the work. */
  static final List<String> STEPS = List.of(JSON, POINT, SEND, STATE);

  private static final int BATCH = 10_000;
  private static final long MILLIS = 1000;
  private static final int SPREAD = 2400;

  /** A day in the past, so that no time is in the future. */
  private static final int DAYS = 20_000;

  private static final String TOPIC = "points";
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int series;
  private final int rounds;
  private final RoundTimes times;
  private final MetricInput input = new MetricInput();
  private final MessageReader reader = new MessageReader();
  private final PointReader points = new PointReader(Sizes.SLACK * MILLIS);
  private final Map<Long, byte[]> states = new HashMap<>();
  private final SeriesAggregator aggregator =
      new SeriesAggregator(
          new StreamIntervals(
              Stream.of("10m", "1h", "1d")
                  .map(RollupConfig.parse(StreamWay.ROLLUP_CONFIG)::interval)
                  .toList(),
              Sizes.SLACK,
              SPREAD),
          new IncompleteTimes(),
          new NoOutput());

  /** Uses the results, so that the compiler does not drop their computation. */
  private long used;

  private StepsKernel(int series, int period, int rounds) {
    this.series = series;
    this.rounds = rounds;
    this.times = RoundTimes.before(Instant.EPOCH.plus(Duration.ofDays(DAYS)), period);
  }

  /** Arguments: series, seconds between two points of a series, measured rounds. */
  public static void main(String[] args) {
    StepsKernel kernel =
        new StepsKernel(
            Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    for (String step : STEPS) {
      System.out.println(KernelRun.line(step, kernel.microsPerPoint(step)));
    }
    System.out.println("used " + kernel.used);
  }

  private double microsPerPoint(String step) {
    // The state needs its steady number of waiting points; the others only a warm compiler.
    int warm = step.equals(STATE) ? times.steadyFrom() : 1;
    long nanos = 0;
    List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>(BATCH);
    for (int round = 0; round < warm + rounds; round++) {
      for (int first = 0; first < series; first += BATCH) {
        batch.clear();
        for (int i = first; i < Math.min(series, first + BATCH); i++) {
          batch.add(message(i, round));
        }
        long begin = THREADS.getCurrentThreadCpuTime();
        batch.forEach(message -> step(step, message));
        nanos += round < warm ? 0 : THREADS.getCurrentThreadCpuTime() - begin;
      }
    }
    return nanos / 1e3 / ((double) rounds * series);
  }

  private ConsumerRecord<byte[], byte[]> message(int number, int round) {
    long second = times.start(round) + (long) number * times.period() / series;
    return new ConsumerRecord<>(
        TOPIC,
        0,
        0,
        second * MILLIS,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        input.message(number, second),
        new RecordHeaders(),
        Optional.empty());
  }

  private void step(String step, ConsumerRecord<byte[], byte[]> message) {
    switch (step) {
      case JSON -> used += json(message);
      case POINT -> points.read(message, point -> used += point.bits);
      case SEND -> points.read(message, point -> used += points.send(point).bits);
      default -> points.read(message, point -> aggregate(points.send(point), message.timestamp()));
    }
  }

  private long json(ConsumerRecord<byte[], byte[]> message) {
    try {
      return reader.read(message.value()).size();
    } catch (BadMessageException e) {
      throw new IllegalStateException(e);
    }
  }

  private void aggregate(StreamPoint point, long watermark) {
    byte[] before = states.get(point.hash);
    if (before != null && !aggregator.isOf(before, point.names)) {
      throw new IllegalStateException("two series have one hash");
    }
    used += aggregator.add(before, point, watermark) == Outcome.HELD ? 1 : 0;
    byte[] after = aggregator.state();
    if (after != null) {
      states.put(point.hash, after);
    }
    if (aggregator.nextTimer() != 0) {
      used++;
    }
  }
}
