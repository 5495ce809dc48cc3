package io.tsdbsuite.bench.rollup;

/** Sums of all summaries of a run, for the comparison of two implementations. */
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
   * Checks that two implementations have the same result.
   *
   * @throws IllegalStateException when the results differ
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

  /** JDK statistics use compensated summation, the TSD and the suite do not; orders differ too. */
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
