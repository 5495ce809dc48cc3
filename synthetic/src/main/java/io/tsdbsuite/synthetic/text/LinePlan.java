package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.Mix;
import io.tsdbsuite.synthetic.SyntheticShape;
import org.jspecify.annotations.Nullable;

/** Maps each line to its point. Not thread-safe; callers may pass lines in any order. */
final class LinePlan {
  private final long seed;
  private final LineOrder order;
  private final long series;
  private final long points;
  private final long window;
  private long windowNumber = -1;
  private @Nullable Shuffle shuffle;
  private int foundSeries;
  private long foundPoint;

  /**
   * @param window lines that are shuffled among themselves
   */
  LinePlan(SyntheticShape shape, LineOrder order, long window) {
    seed = shape.seed();
    this.order = order;
    this.window = window;
    series = shape.series();
    points = shape.pointsPerSeries();
  }

  void find(long line) {
    if (order == LineOrder.SERIES) {
      foundSeries = (int) (line / points);
      foundPoint = line % points;
      return;
    }
    long byTime = order == LineOrder.TIME ? line : shuffled(line);
    foundPoint = byTime / series;
    foundSeries = (int) (byTime % series);
  }

  private long shuffled(long line) {
    long number = line / window;
    if (shuffle == null || number != windowNumber) {
      long lines = Math.min(window, series * points - number * window);
      shuffle = new Shuffle(lines, Mix.of(~seed, number));
      windowNumber = number;
    }
    return number * window + shuffle.at(line - number * window);
  }

  int series() {
    return foundSeries;
  }

  long point() {
    return foundPoint;
  }
}
