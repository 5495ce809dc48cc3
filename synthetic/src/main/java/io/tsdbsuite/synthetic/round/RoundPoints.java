package io.tsdbsuite.synthetic.round;

/**
 * The points of a round: one of each series, all at one timestamp. The value of a point is a whole
 * number below 10,000, a function of its round and its number.
 */
public final class RoundPoints {
  private static final int VALUES = 10_000;
  private static final int ROUND_STEP = 31;

  private final int series;
  private final int seriesPerMetric;
  private final byte[][] metrics;
  private final byte[][] keys;
  private final byte[][] values;

  /**
   * Points of a shape.
   *
   * @param shape with no more series than an int holds
   * @throws ArithmeticException when there are more
   */
  public RoundPoints(RoundShape shape) {
    this.series = Math.toIntExact(shape.series());
    this.seriesPerMetric = (int) shape.seriesPerMetric();
    this.metrics = numbered("load.metric.", shape.metrics());
    this.keys = numbered("tagk", shape.tagks());
    this.values = numbered("tagv", shape.tagvs());
  }

  private static byte[][] numbered(String name, int count) {
    byte[][] names = new byte[count][];
    for (int i = 0; i < count; i++) {
      names[i] = TextBuffer.bytes(name + (i + 1));
    }
    return names;
  }

  /** Number of points of a round. */
  public int count() {
    return series;
  }

  /**
   * Appends a point.
   *
   * @param index index of the point in its batch, from 0
   * @param point 0 to {@link #count()} - 1
   * @param round from 0
   * @param timestamp seconds or milliseconds since the epoch, UTC
   */
  public void append(
      PointFormat format, TextBuffer out, int index, int point, long round, long timestamp) {
    format.point(out, index, metrics[point / seriesPerMetric], timestamp);
    out.decimal((round * ROUND_STEP + point) % VALUES);
    int combination = point % seriesPerMetric;
    for (int tag = 0; tag < keys.length; tag++) {
      format.tag(out, tag, keys[tag], values[combination % values.length]);
      combination /= values.length;
    }
    format.endPoint(out);
  }
}
