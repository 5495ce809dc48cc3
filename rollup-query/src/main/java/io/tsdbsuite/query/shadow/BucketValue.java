package io.tsdbsuite.query.shadow;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /** The codec of a histogram; null of other values, and of none. */
  private @Nullable String codec;

  private byte[] histogram = {};

  /**
   * A histogram.
   *
   * @param codec its class; null: a bucket without a histogram
   * @param bytes without the codec id
   */
  public BucketValue(@Nullable String codec, byte[] bytes) {
    this.function = RollupFunction.HISTOGRAM;
    this.present = codec != null;
    this.codec = codec;
    this.histogram = codec == null ? histogram : bytes.clone();
  }

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
      case HISTOGRAM:
        return isSameHistogram(raw);
      case SUM:
        return isSameSum(raw);
      case AVG:
        return count == raw.count && isSameSum(raw);
      default:
        return value() == raw.value();
    }
  }

  private boolean isSameHistogram(BucketValue raw) {
    return Objects.equals(codec, raw.codec) && Arrays.equals(histogram, raw.histogram);
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
        && isSameHistogram(later)
        && Double.compare(value(), later.value()) == 0;
  }

  /**
   * {@code none}, {@code 12.5}, of avg {@code sum 12.5, count 3}, of a sketch {@code p50 12.5, p99
   * 20.1, count 3}.
   */
  @Override
  public String toString() {
    if (!present) {
      return "none";
    }
    if (HistogramCodecs.SKETCH.equals(codec)) {
      Sketch sketch = Sketch.of(histogram, 0, histogram.length);
      return "p50 "
          + sketch.percentile(50)
          + ", p99 "
          + sketch.percentile(99)
          + ", count "
          + sketch.count();
    }
    if (codec != null) {
      return histogram.length + " bytes of " + codec + ", hash " + Arrays.hashCode(histogram);
    }
    return function == RollupFunction.AVG ? "sum " + value + ", count " + count : "" + value();
  }
}
