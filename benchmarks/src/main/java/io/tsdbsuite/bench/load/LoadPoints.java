package io.tsdbsuite.bench.load;

/** The points of a round: one of each series, then the generator's own. */
final class LoadPoints {
  private static final int VALUES = 10_000;
  private static final int ROUND_STEP = 31;

  private final int series;
  private final int seriesPerMetric;
  private final byte[][] metrics;
  private final byte[][] keys;
  private final byte[][] values;
  private final OwnMetrics own;

  /**
   * Points of a shape.
   *
   * @param shape with no more series than an int holds
   */
  LoadPoints(LoadShape shape, OwnMetrics own) {
    this.series = Math.toIntExact(shape.series());
    this.seriesPerMetric = (int) shape.seriesPerMetric();
    this.metrics = numbered("load.metric.", shape.metrics());
    this.keys = numbered("tagk", shape.tagks());
    this.values = numbered("tagv", shape.tagvs());
    this.own = own;
  }

  private static byte[][] numbered(String name, int count) {
    byte[][] names = new byte[count][];
    for (int i = 0; i < count; i++) {
      names[i] = Protocol.bytes(name + (i + 1));
    }
    return names;
  }

  /** How many there are in a round. */
  int count() {
    return series + OwnMetrics.COUNT;
  }

  /**
   * Appends a point.
   *
   * @param index of the point in its batch
   * @param point 0 to {@link #count()} - 1
   */
  void append(
      PointFormat format, TextBuffer out, int index, int point, long round, long timestamp) {
    if (point >= series) {
      own.append(format, out, index, point - series, timestamp);
      return;
    }
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
