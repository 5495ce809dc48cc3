package io.tsdbsuite.system;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;

/**
 * Six hours of drawn points of {@link #METRIC}: shuffled within the slack, some twice and some
 * rewritten, of seconds and of milliseconds, integers and floats, one message or two in one. The
 * points of {@code h4} and {@code h5} are also late, and of two columns for one instant.
 */
final class SixHours {
  static final String METRIC = "six";
  static final int HOURS = 6;

  private static final long HOUR = 3600;

  /** More with {@code -Dsystem.series=N}. */
  private static final int SERIES = Integer.getInteger("system.series", 6);

  /** How far a message is behind its point, ms: less than the slack, with room for a rewrite. */
  private static final int LAG = 6_000;

  private static final int REWRITE_LAG = 2_500;

  private final Random random = Seed.random();
  private final InputPoints points;
  private final long start;
  private int notFinite;
  private int bad;

  /**
   * @param start first second, on the hour
   */
  SixHours(InputPoints points, long start) {
    this.points = points;
    this.start = start;
  }

  /** Number of elements that are NaN or infinite. */
  int notFinite() {
    return notFinite;
  }

  /** Number of elements that are no points. */
  int bad() {
    return bad;
  }

  /** Adds all messages. */
  void add() {
    long end = start + HOURS * HOUR;
    for (int series = 0; series < SERIES; series++) {
      String host = "h" + series;
      int partition = series % SystemStack.PARTITIONS;
      for (long time = start + 60; time < end - 60; time += 1 + random.nextInt(60)) {
        point(partition, host, time, series == 0 || random.nextBoolean());
      }
    }
    for (int i = 0; i < 3; i++) {
      // Late, unless the other partitions are read more slowly.
      late(4, start + i * HOUR + 600 + random.nextInt(600), 60 + random.nextInt(300));
      conflict(4 + i % 2, start + (i + 3) * HOUR + random.nextInt(3500));
    }
    odd("\"NaN\"");
    odd("\"Infinity\"");
    notFinite += 2;
    odd("true");
    bad++;
  }

  /**
   * Adds points of closed buckets.
   *
   * @param now time of their messages, seconds; the stream's time must be after the six hours
   * @return number of points
   */
  int addLate(long now) {
    for (int i = 0; i < 3; i++) {
      long time = start + i * HOUR + random.nextInt(3600);
      late(5, time, now - time);
    }
    return 3;
  }

  /** A point; sometimes it is repeated, rewritten, or written with another resolution, too. */
  private void point(int partition, String host, long time, boolean integer) {
    boolean millis = random.nextBoolean();
    long timestamp = millis ? time * 1000 + random.nextInt(1000) : time;
    long sent = time * 1000 + 1000 + random.nextInt(LAG);
    String first = InputPoints.point(METRIC, host, timestamp, value(integer));
    switch (random.nextInt(60)) {
      case 0 -> points.add(partition, sent, first, first);
      case 1 -> {
        points.add(partition, sent, first);
        points.add(partition, sent + random.nextInt(REWRITE_LAG), first);
      }
      case 2 -> points.add(partition, sent, first, rewritten(host, timestamp, integer));
      case 3 -> {
        points.add(partition, sent, first);
        points.add(
            partition, sent + random.nextInt(REWRITE_LAG), rewritten(host, timestamp, integer));
      }
      case 4 -> {
        Object value = value(integer);
        points.add(partition, sent, InputPoints.point(METRIC, host, time, value));
        points.add(partition, sent, InputPoints.point(METRIC, host, time * 1000, value));
      }
      default -> points.add(partition, sent, first);
    }
  }

  private String rewritten(String host, long timestamp, boolean integer) {
    return InputPoints.point(METRIC, host, timestamp, value(integer));
  }

  /** Integers of one width, and doubles: a rewrite goes to the same column. */
  private Object value(boolean integer) {
    if (integer) {
      return 1000 + random.nextInt(20_000);
    }
    double value = random.nextGaussian() * (random.nextInt(10) == 0 ? 1e12 : 10);
    return random.nextInt(5) == 0 ? "\"" + value + "\"" : Double.toString(value);
  }

  private void late(int series, long time, long seconds) {
    points.add(
        series % SystemStack.PARTITIONS,
        (time + seconds) * 1000,
        InputPoints.point(METRIC, "h" + series, time * 1000 + 501, value(false)));
  }

  /** An integer and a float of one instant: two columns with different bytes. */
  private void conflict(int series, long time) {
    int partition = series % SystemStack.PARTITIONS;
    String host = "h" + series;
    long sent = time * 1000 + 2000;
    points.add(partition, sent, InputPoints.point(METRIC, host, time * 1000 + 502, 7));
    points.add(partition, sent + 100, InputPoints.point(METRIC, host, time * 1000 + 502, 7.25));
  }

  private void odd(String value) {
    points.add(1, (start + HOUR) * 1000, InputPoints.point(METRIC, "h1", start + HOUR, value));
  }
}
