package io.tsdbsuite.testkit.rollup;

/**
 * The four values of an interval.
 *
 * @param sum sum of the points as doubles, left to right
 * @param min smallest point
 * @param max largest point
 * @param count points
 */
public record RollupValues(double sum, double min, double max, long count) {
  /** Allowed difference of sums, relative to the larger sum. */
  private static final double SUM_TOLERANCE = 1e-12;

  /**
   * Whether two values are equal: min, max and count exactly, sum to 1e-12 relative.
   *
   * @param other the other
   * @return whether they are
   */
  public boolean agreesWith(RollupValues other) {
    double scale = Math.max(Math.abs(sum), Math.abs(other.sum));
    return count == other.count
        && Double.compare(min, other.min) == 0
        && Double.compare(max, other.max) == 0
        && Math.abs(sum - other.sum) <= SUM_TOLERANCE * scale;
  }
}
