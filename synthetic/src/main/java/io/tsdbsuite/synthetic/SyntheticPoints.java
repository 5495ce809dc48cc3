package io.tsdbsuite.synthetic;

/**
 * The points of a shape one by one, as a load of its rows or its text must store them. Series and
 * the points of each are numbered from 0. Not thread-safe.
 */
public final class SyntheticPoints {
  private final SyntheticShape shape;
  private final Times times;
  private final ValueGenerator source;
  private final long[] number = new long[1];
  private final byte[] kind = new byte[1];

  /** The points of a shape. */
  public SyntheticPoints(SyntheticShape shape) {
    this.shape = shape;
    times = new Times(shape);
    source = ValueGenerator.of(shape);
  }

  /** Time of a point, milliseconds since the epoch, UTC. */
  public long millis(int series, long point) {
    return times.at(series, point);
  }

  /** Time of a point as it is stored: seconds, or milliseconds if the shape has them. */
  public long timestamp(int series, long point) {
    return shape.inMillis() ? millis(series, point) : millis(series, point) / 1000;
  }

  /** The point at a time in milliseconds, -1 if there is none. */
  public long pointAt(int series, long millis) {
    long point = times.pointAt(millis);
    return point >= 0 && times.at(series, point) == millis ? point : -1;
  }

  /** Whether a value is an integer. */
  public boolean isInteger(int series, long point) {
    source.fill(series, point, 1, number, kind);
    return kind[0] == ValueGenerator.INTEGER;
  }

  /**
   * An integer.
   *
   * @throws IllegalStateException when the value is a floating point number
   */
  public long longValue(int series, long point) {
    if (!isInteger(series, point)) {
      throw new IllegalStateException(
          "point " + point + " of series " + series + " is a floating point number");
    }
    return number[0];
  }

  /** A value as a double; integers beyond 2^53 are rounded. */
  public double doubleValue(int series, long point) {
    return isInteger(series, point) ? number[0] : ValueGenerator.toDouble(number[0], kind[0]);
  }
}
