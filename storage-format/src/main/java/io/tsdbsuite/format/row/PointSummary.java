package io.tsdbsuite.format.row;

/**
 * Sum, minimum, maximum and count of points, number for number what the TSD answers to {@code
 * 1h-sum}, {@code 1h-min}, {@code 1h-max} and {@code 1h-count} over one bucket: everything is a
 * double, the sum is taken from left to right beginning at 0.0, NaN is skipped and not counted.
 * Reusable; not safe for use by several threads. Source: docs/storage.md 12.
 */
public final class PointSummary {
  /** How many doubles {@link #save} writes. */
  public static final int STATE = 4;

  private double sum;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private long count;

  /** An empty summary. */
  public PointSummary() {}

  /** Forgets everything. */
  public void clear() {
    sum = 0.0;
    min = Double.POSITIVE_INFINITY;
    max = Double.NEGATIVE_INFINITY;
    count = 0;
  }

  /** Adds the next number in time; NaN is skipped. */
  public void add(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    sum += value;
    count++;
    // Plain comparisons, not Math.min: of 0.0 and -0.0 the first one stays, as in the TSD.
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

  /** Adds numbers {@code fromIndex} to {@code toIndex - 1}, which are in the order of time. */
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
   * Writes what was added so far, so that {@link #load} can go on from there: a bucket of several
   * rows is one sum from left to right, not the sum of theirs.
   *
   * @param state gets {@link #STATE} doubles from {@code at} on
   */
  public void save(double[] state, int at) {
    state[at] = sum;
    state[at + 1] = min;
    state[at + 2] = max;
    // Exact: a day has 86,400,000 milliseconds, a double 53 bits.
    state[at + 3] = count;
  }

  /** Goes on from what {@link #save} wrote, and forgets what was here. */
  public void load(double[] state, int at) {
    sum = state[at];
    min = state[at + 1];
    max = state[at + 2];
    count = (long) state[at + 3];
  }

  /** The sum; NaN if nothing was counted. */
  public double sum() {
    return count == 0 ? Double.NaN : sum;
  }

  /** The minimum; NaN if nothing, or nothing but positive infinity, was counted. */
  public double min() {
    return min == Double.POSITIVE_INFINITY ? Double.NaN : min;
  }

  /** The maximum; NaN if nothing, or nothing but negative infinity, was counted. */
  public double max() {
    return max == Double.NEGATIVE_INFINITY ? Double.NaN : max;
  }

  /** How many numbers were counted. */
  public long count() {
    return count;
  }

  /**
   * Whether something was counted and its sum is a finite number. If it is, so are minimum and
   * maximum; if not, the TSD fails the query.
   */
  public boolean isFinite() {
    return count > 0 && !Double.isNaN(sum) && !Double.isInfinite(sum);
  }
}
