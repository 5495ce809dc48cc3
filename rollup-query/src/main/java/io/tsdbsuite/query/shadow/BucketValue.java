package io.tsdbsuite.query.shadow;

import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.Arrays;

/** The value of one bucket of one series: of the rollup, or of its raw points. Not thread-safe. */
public final class BucketValue {
  /**
   * How much two sums may differ, as a part of the sum of the absolute values: those of the same
   * numbers in different orders differ in their last bits.
   */
  private static final double TOLERANCE = 1e-9;

  private final RollupFunction function;
  private boolean present;

  /** Of a percentile that of the points, computed when it is asked for. */
  private double value;

  /** The points of a percentile, in any order, until {@link #finish}. */
  private double[] values = {};

  private int size;
  private double magnitude;
  private long count;

  /** A bucket without a value. */
  public BucketValue(RollupFunction function) {
    this.function = function;
  }

  /**
   * Adds a point, a rollup, or what a point counts for the function count. NaN is no value, as for
   * OpenTSDB's Downsampler.
   *
   * @param points how many points it stands for
   * @throws IllegalStateException when the percentile has been computed
   */
  public void add(double more, long points) {
    if (present && size == 0 && function.isPercentile()) {
      throw new IllegalStateException("no value must follow a computed percentile, found " + more);
    }
    if (Double.isNaN(more) || (function == RollupFunction.COUNT && more == 0)) {
      return;
    }
    switch (function) {
      case MIN:
        value = present ? Math.min(value, more) : more;
        break;
      case MAX:
        value = present ? Math.max(value, more) : more;
        break;
      case FIRST:
        value = present ? value : more;
        break;
      case LAST:
        value = more;
        break;
      default:
        value += more;
    }
    if (function.isPercentile()) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 16 + 2 * size);
      }
      values[size++] = more;
    }
    magnitude += Math.abs(more);
    count += points;
    present = true;
  }

  /** The points that it keeps, for a percentile until {@link #finish}; others keep none. */
  public int kept() {
    return size;
  }

  /** Computes a percentile, and lets its points go. */
  void finish() {
    if (size > 0) {
      Arrays.sort(values, 0, size);
      value = Percentiles.of(values, 0, size, Percentiles.rank(function.level()));
      values = new double[0];
      size = 0;
    }
  }

  private double value() {
    finish();
    return value;
  }

  /** Whether there is a value. */
  public boolean isPresent() {
    return present;
  }

  /**
   * Whether the rollup is that of these raw points: sums within rounding, everything else exactly.
   *
   * @param raw of the same function
   */
  boolean isSameAs(BucketValue raw) {
    if (!present || !raw.present) {
      return present == raw.present;
    }
    switch (function) {
      case SUM:
        return isSameSum(raw);
      case AVG:
        return count == raw.count && isSameSum(raw);
      default:
        return value() == raw.value();
    }
  }

  private boolean isSameSum(BucketValue raw) {
    if (value == raw.value || (Double.isNaN(value) && Double.isNaN(raw.value))) {
      return true;
    }
    return !Double.isInfinite(raw.magnitude)
        && Math.abs(value - raw.value) <= TOLERANCE * raw.magnitude;
  }

  /** Whether both are equal to the last bit. */
  boolean isUnchanged(BucketValue later) {
    return present == later.present
        && count == later.count
        && Double.compare(value(), later.value()) == 0;
  }

  /** {@code none}, {@code 12.5}, or of avg {@code sum 12.5, count 3}. */
  @Override
  public String toString() {
    if (!present) {
      return "none";
    }
    return function == RollupFunction.AVG ? "sum " + value + ", count " + count : "" + value();
  }
}
