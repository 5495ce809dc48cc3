package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.ValueShape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shapes of the loaded points: integers of one byte, from 2021 on. */
final class Shapes {
  static final Instant START = Instant.parse("2021-01-01T00:00:00Z");
  static final int SENSORS = 128;
  static final int TEXT_SERIES = 1000;
  private static final int TEXT_SECONDS = 10;

  private Shapes() {}

  /** 128 sensors at an interval of 1 s for some days: rows of 3600 points. */
  static SyntheticShape seconds(String metric, long days) {
    return shape(metric, SENSORS, 1, 1, Duration.ofDays(days));
  }

  /** 1000 sensors at an interval of 1 min for some hours: rows of 60 points. */
  static SyntheticShape minutes(String metric, long hours) {
    return shape(metric, TEXT_SERIES, 1, 60, Duration.ofHours(hours));
  }

  /** 1000 sensors with two tags at an interval of 10 s: rows of 360 points. */
  static SyntheticShape text(String metric, long lines) {
    long each = Math.max(1, lines / TEXT_SERIES);
    return shape(metric, TEXT_SERIES, 2, TEXT_SECONDS, Duration.ofSeconds(each * TEXT_SECONDS));
  }

  private static SyntheticShape shape(
      String metric, int sensors, int tags, int seconds, Duration span) {
    return new SyntheticShape(
        metric, 1, sensors, tags, seconds * 1000L, START, span, ValueShape.GAUGE_INT, 0, 1);
  }

  /** Options of {@code generate} for these points. */
  static List<String> options(SyntheticShape shape) {
    return new ArrayList<>(
        List.of(
            "--metric=" + shape.metric(),
            "--sensors=" + shape.sensors(),
            "--tags=" + shape.tags(),
            "--every=" + shape.intervalMillis() + "ms",
            "--start=" + shape.start(),
            "--span=" + shape.span().toSeconds() + "s",
            "--values=" + shape.values().key(),
            "--seed=" + shape.seed()));
  }
}
