package io.tsdbsuite.synthetic;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidName;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Which synthetic points there are: each metric has a series for each sensor, and each series one
 * point per interval. Equal shapes have equal points.
 *
 * @param metric name of the metric, or prefix of the names of several metrics
 * @param metrics number of metrics, at least 1
 * @param sensors series of each metric, at least 1
 * @param tags tags of each series, 1..8: the sensor itself, and groups of 16, 256, ...
 * @param intervalMillis from one point of a series to the next, ms, at least 10
 * @param start time of the first point, UTC, whole milliseconds, not before 1971
 * @param span from the start to the end, exclusive
 * @param values shape of the values
 * @param jitterMillis maximum delay of a point, ms, less than the interval; never so late that they
 *     leave their hour
 * @param seed another one makes other values and delays
 */
public record SyntheticShape(
    String metric,
    int metrics,
    int sensors,
    int tags,
    long intervalMillis,
    Instant start,
    Duration span,
    ValueShape values,
    int jitterMillis,
    long seed) {
  /** Time span of a row, milliseconds. */
  public static final int ROW_SPAN_MILLIS = RowKey.ROW_SPAN_SECONDS * 1000;

  private static final int MIN_INTERVAL_MILLIS = 10;
  private static final int MAX_TAGS = 8;
  // Milliseconds before this would fit in 32 bits, and be taken for seconds.
  private static final Instant EARLIEST = Instant.parse("1971-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.ofEpochSecond(1L << 32);

  /**
   * Checks the shape.
   *
   * @throws UsageException with all problems
   */
  public SyntheticShape {
    List<String> problems = new ArrayList<>();
    String name = UidName.problem(metric, "");
    if (name != null) {
      problems.add("metric: " + name);
    }
    check(problems, metrics >= 1, "metrics must be at least 1", metrics);
    check(problems, sensors >= 1, "sensors must be at least 1", sensors);
    long series = (long) metrics * sensors;
    check(problems, series <= Integer.MAX_VALUE, "metrics * sensors must fit in 31 bits", series);
    check(problems, tags >= 1 && tags <= MAX_TAGS, "tags must be 1 to " + MAX_TAGS, tags);
    check(
        problems,
        intervalMillis >= MIN_INTERVAL_MILLIS,
        "the interval must be at least " + MIN_INTERVAL_MILLIS + " ms (a row has to fit in a cell)",
        intervalMillis + " ms");
    check(
        problems,
        jitterMillis >= 0 && jitterMillis < Math.max(1, intervalMillis),
        "the jitter must be 0 or more and less than the interval",
        jitterMillis + " ms");
    boolean positive = span.compareTo(Duration.ZERO) > 0;
    check(problems, positive, "the span must be longer than 0", span);
    check(
        problems,
        span.equals(span.truncatedTo(ChronoUnit.MILLIS)),
        "the span must be a whole number of milliseconds",
        span);
    boolean late = start.isBefore(EARLIEST) || start.isAfter(LATEST);
    check(problems, !late, "the start must be between " + EARLIEST + " and " + LATEST, start);
    check(
        problems,
        start.equals(start.truncatedTo(ChronoUnit.MILLIS)),
        "the start must be a whole number of milliseconds",
        start);
    if (positive && !late) {
      boolean ends = span.compareTo(Duration.between(start, LATEST)) <= 0;
      check(problems, ends, "start and span must end before " + LATEST, start + " + " + span);
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  private static void check(List<String> problems, boolean good, String rule, Object found) {
    if (!good) {
      problems.add(rule + ", found " + found);
    }
  }

  /** Number of series. */
  public int series() {
    return metrics * sensors;
  }

  /** Number of points of each series. */
  public long pointsPerSeries() {
    return (span.toMillis() + intervalMillis - 1) / intervalMillis;
  }

  /** Number of points. */
  public long points() {
    return Math.multiplyExact(pointsPerSeries(), (long) series());
  }

  /** Whether times are milliseconds; if not, they are whole seconds. */
  public boolean inMillis() {
    return jitterMillis > 0 || intervalMillis % 1000 != 0 || start.toEpochMilli() % 1000 != 0;
  }

  /** The metric of a series, 0..{@link #metrics}-1. Sensors of one metric are neighbours. */
  int metricOf(int series) {
    return series / sensors;
  }

  /** The sensor of a series, 0..{@link #sensors}-1. */
  int sensorOf(int series) {
    return series % sensors;
  }
}
