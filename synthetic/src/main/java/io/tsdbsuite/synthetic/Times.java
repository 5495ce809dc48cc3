package io.tsdbsuite.synthetic;

/** When the points of a shape are. Milliseconds since the epoch, UTC. */
public final class Times {
  private static final int HOUR = SyntheticShape.ROW_SPAN_MILLIS;

  private final long start;
  private final long interval;
  private final long points;
  private final int jitter;
  private final long seed;

  /** The times of a shape. */
  public Times(SyntheticShape shape) {
    start = shape.start().toEpochMilli();
    interval = shape.intervalMillis();
    points = shape.pointsPerSeries();
    jitter = shape.jitterMillis();
    seed = Mix.of(~shape.seed());
  }

  /** The first hour with points, hours since the epoch. */
  public long firstHour() {
    return start / HOUR;
  }

  /** The last hour with points, hours since the epoch. */
  public long lastHour() {
    return (start + (points - 1) * interval) / HOUR;
  }

  /** Number of points of a series before an hour. */
  public long before(long hour) {
    long millis = hour * HOUR - start;
    return millis <= 0 ? 0 : Math.min(points, (millis + interval - 1) / interval);
  }

  /** Time of a point without its delay. */
  public long due(long point) {
    return start + point * interval;
  }

  /** Time of a point. */
  public long at(int series, long point) {
    long due = due(point);
    if (jitter == 0) {
      return due;
    }
    long random = Mix.of(seed + Mix.STEP * series, point);
    long late = ((random >>> 32) * (jitter + 1)) >>> 32;
    return Math.min(due + late, (due / HOUR + 1) * HOUR - 1);
  }

  /** The only point that can be at this time, -1 if there is none. */
  public long pointAt(long millis) {
    long point = millis < start ? -1 : (millis - start) / interval;
    return point < points ? point : -1;
  }
}
