package io.tsdbsuite.bench.rollup;

/** What all summaries of a run add up to, so that two ways can be held against each other. */
final class Totals {
  private static final double TOLERANCE = 1e-9;

  private long summaries;
  private long points;
  private double sum;
  private double mins;
  private double maxes;

  void add(double hourSum, double min, double max, long count) {
    summaries++;
    points += count;
    sum += hourSum;
    mins += min;
    maxes += max;
  }

  long points() {
    return points;
  }

  long summaries() {
    return summaries;
  }

  /**
   * Makes sure that two ways found the same.
   *
   * @throws IllegalStateException when they did not
   */
  static void requireEqual(Totals a, Totals b) {
    if (a.summaries != b.summaries
        || a.points != b.points
        || !close(a.sum, b.sum)
        || !close(a.mins, b.mins)
        || !close(a.maxes, b.maxes)) {
      throw new IllegalStateException("the two ways differ: " + a + " and " + b);
    }
  }

  /** JDK statistics add with compensation, the TSD and we do not; nor is the order the same. */
  private static boolean close(double a, double b) {
    return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }

  @Override
  public String toString() {
    return summaries
        + " summaries of "
        + points
        + " points, sum "
        + sum
        + ", minima "
        + mins
        + ", maxima "
        + maxes;
  }
}
