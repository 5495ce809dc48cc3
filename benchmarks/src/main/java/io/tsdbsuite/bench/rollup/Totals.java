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
   * The other totals.
   *
   * @throws IllegalStateException when they differ from these
   */
  Totals requireEqual(Totals other) {
    if (summaries != other.summaries
        || points != other.points
        || !close(sum, other.sum)
        || !close(mins, other.mins)
        || !close(maxes, other.maxes)) {
      throw new IllegalStateException("the two ways differ: " + this + " and " + other);
    }
    return other;
  }

  /** JDK statistics use compensated summation, the TSD and the suite do not; orders differ too. */
  private static boolean close(double a, double b) {
    return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }

  @Override
  public String toString() {
    return "%d summaries of %d points, sum %s, minima %s, maxima %s"
        .formatted(summaries, points, sum, mins, maxes);
  }
}
