package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.RoundPoints;
import io.tsdbsuite.synthetic.round.RoundShape;
import io.tsdbsuite.synthetic.round.TextBuffer;
import java.util.List;

/**
 * The points of a round: one per series, then the generator's own metrics, which are its parameters
 * and its rate.
 */
final class LoadPoints {
  /** Own points per round. */
  static final int OWN = 5;

  private static final long THOUSAND = 1000;
  private static final byte[] KEY = TextBuffer.bytes("generator");
  private static final byte[] VALUE = TextBuffer.bytes("load-generator");

  /** The last one is the rate. */
  private static final List<byte[]> NAMES =
      List.of(
          TextBuffer.bytes("loadtest.metrics"),
          TextBuffer.bytes("loadtest.tagks"),
          TextBuffer.bytes("loadtest.tagvs"),
          TextBuffer.bytes("loadtest.sleep"),
          TextBuffer.bytes("loadtest.rate"));

  private final RoundPoints series;
  private final long[] thousandths;
  private volatile long rate;

  /**
   * Creates the points of a shape.
   *
   * @param shape with at most {@code Integer.MAX_VALUE} series
   * @param sleepMillis time between the starts of two rounds, ms; its metric is in seconds
   */
  LoadPoints(RoundShape shape, long sleepMillis) {
    series = new RoundPoints(shape);
    thousandths =
        new long[] {
          shape.metrics() * THOUSAND,
          shape.tagks() * THOUSAND,
          shape.tagvs() * THOUSAND,
          sleepMillis
        };
  }

  /** Number of points of a round. */
  int count() {
    return series.count() + OWN;
  }

  /**
   * Sets the rate for the next metrics.
   *
   * @param pointsPerSecond rate since the previous round
   */
  void rate(long pointsPerSecond) {
    rate = pointsPerSecond;
  }

  /**
   * Appends a point.
   *
   * @param index index of the point in its batch, from 0
   * @param point 0 to {@link #count()} - 1
   */
  void append(
      PointFormat format, TextBuffer out, int index, int point, long round, long timestamp) {
    int own = point - series.count();
    if (own < 0) {
      series.append(format, out, index, point, round, timestamp);
      return;
    }
    format.point(out, index, NAMES.get(own), timestamp);
    if (own < thousandths.length) {
      out.thousandths(thousandths[own]);
    } else {
      out.decimal(rate);
    }
    format.tag(out, 0, KEY, VALUE);
    format.endPoint(out);
  }
}
