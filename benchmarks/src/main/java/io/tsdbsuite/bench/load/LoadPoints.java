package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.RoundPoints;
import io.tsdbsuite.synthetic.round.RoundShape;
import io.tsdbsuite.synthetic.round.TextBuffer;

/** The points of a round: one per series, then the generator's own metrics. */
final class LoadPoints {
  private final RoundPoints series;
  private final OwnMetrics own;

  /**
   * Creates the points of a shape.
   *
   * @param shape with at most {@code Integer.MAX_VALUE} series
   */
  LoadPoints(RoundShape shape, OwnMetrics own) {
    this.series = new RoundPoints(shape);
    this.own = own;
  }

  /** Number of points of a round. */
  int count() {
    return series.count() + OwnMetrics.COUNT;
  }

  /**
   * Appends a point.
   *
   * @param index index of the point in its batch, from 0
   * @param point 0 to {@link #count()} - 1
   */
  void append(
      PointFormat format, TextBuffer out, int index, int point, long round, long timestamp) {
    if (point < series.count()) {
      series.append(format, out, index, point, round, timestamp);
    } else {
      own.append(format, out, index, point - series.count(), timestamp);
    }
  }
}
