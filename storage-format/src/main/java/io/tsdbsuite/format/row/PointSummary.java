package io.tsdbsuite.format.row;

/**
 * Sum, minimum, maximum and count of points, equal to the TSD's answers to {@code 1h-sum}, {@code
 * 1h-min}, {@code 1h-max} and {@code 1h-count} over one bucket: all values are doubles, the sum
 * runs from left to right and begins at 0.0, NaN is skipped and not counted. Reusable; not
 * thread-safe. Source: docs/storage.md 12.
 */
public final class PointSummary {
  /** The number of doubles that {@link #save} writes. */
  public static final int STATE = 4;

  private double sum;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private long count;

  /** An empty summary. */
  public PointSummary() {}

  /** Resets to an empty summary. */
  public void clear() {
    sum = 0.0;
    min = Double.POSITIVE_INFINITY;
    max = Double.NEGATIVE_INFINITY;
    count = 0;
  }

  /** Adds the next value in time order; NaN is skipped. */
  public void add(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    sum += value;
    count++;
    // Comparisons instead of Math.min keep the first of 0.0 and -0.0, as the TSD does.
    if (value < min) {
      min = value;
    }
    if (value > max) {
      max = value;
    }
  }

  /** Adds points {@code fromIndex} to {@code toIndex - 1} of a merged row. */
  public void addAll(PointBuffer points, int fromIndex, int toIndex) {
    addAll(points.doubles(), fromIndex, toIndex);
  }

  /** Adds values {@code fromIndex} to {@code toIndex - 1}, which are in time order. */
  public void addAll(double[] values, int fromIndex, int toIndex) {
    double newSum = sum;
    double newMin = min;
    double newMax = max;
    int notANumber = 0;
    for (int i = fromIndex; i < toIndex; i++) {
      double value = values[i];
      if (Double.isNaN(value)) {
        notANumber++;
        continue;
      }
      newSum += value;
      if (value < newMin) {
        newMin = value;
      }
      if (value > newMax) {
        newMax = value;
      }
    }
    sum = newSum;
    min = newMin;
    max = newMax;
    count += toIndex - fromIndex - notANumber;
  }

  /**
   * Saves the state for {@link #load}. The sum of a bucket of several rows runs from left to right
   * over all of them; it is not the sum of the rows' sums.
   *
   * @param state receives {@link #STATE} doubles from {@code at} on
   */
  public void save(double[] state, int at) {
    state[at] = sum;
    state[at + 1] = min;
    state[at + 2] = max;
    // Exact: a day has 86,400,000 milliseconds, a double 53 bits.
    state[at + 3] = count;
  }

  /** Replaces the state with a state that {@link #save} wrote. */
  public void load(double[] state, int at) {
    sum = state[at];
    min = state[at + 1];
    max = state[at + 2];
    count = (long) state[at + 3];
  }

  /** The sum; NaN if the count is 0. */
  public double sum() {
    return count == 0 ? Double.NaN : sum;
  }

  /** The minimum; NaN if the count is 0 or all counted values are positive infinity. */
  public double min() {
    return min == Double.POSITIVE_INFINITY ? Double.NaN : min;
  }

  /** The maximum; NaN if the count is 0 or all counted values are negative infinity. */
  public double max() {
    return max == Double.NEGATIVE_INFINITY ? Double.NaN : max;
  }

  /** The number of values counted. */
  public long count() {
    return count;
  }

  /**
   * Whether the count is positive and the sum is finite. Minimum and maximum are then finite too;
   * otherwise the TSD fails the query.
   */
  public boolean isFinite() {
    return count > 0 && !Double.isNaN(sum) && !Double.isInfinite(sum);
  }
}
