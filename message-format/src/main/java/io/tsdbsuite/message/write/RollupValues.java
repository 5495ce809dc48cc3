package io.tsdbsuite.message.write;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of the rollup of one interval: sum, minimum, maximum and count, and those of further
 * aggregators, such as {@code p99}, by the names under which rollup_config.json gives them an id; a
 * histogram. Reusable; not thread-safe.
 */
public final class RollupValues {
  private double sum;
  private double min;
  private double max;
  private long count;
  private List<String> names = Collections.emptyList();
  private double[] further = {};
  private @Nullable String codec;
  private byte[] histogram = {};

  /** The values of a deletion. */
  public RollupValues() {}

  /** Creates the four values; a count of 0 stands for a deletion. */
  public static RollupValues of(double sum, double min, double max, long count) {
    RollupValues values = new RollupValues();
    values.set(sum, min, max, count);
    return values;
  }

  /**
   * Sets the four values, and removes all further ones and the histogram; a count of 0 stands for a
   * deletion, or for a histogram alone.
   */
  public void set(double newSum, double newMin, double newMax, long newCount) {
    sum = newSum;
    min = newMin;
    max = newMax;
    count = newCount;
    names = Collections.emptyList();
    codec = null;
  }

  /** Copies all values of another. */
  public void set(RollupValues other) {
    set(other.sum, other.min, other.max, other.count);
    further(other.names);
    System.arraycopy(other.further, 0, further, 0, names.size());
    codec = other.codec;
    histogram = other.histogram;
  }

  /** Marks the rollup as deleted: no values. */
  public void clear() {
    set(0, 0, 0, 0);
  }

  /**
   * Names the further aggregators, whose values {@link #further(int, double)} sets next.
   *
   * @param newNames in lower case, each once, without sum, min, max and count; not copied, so that
   *     all rollups of a selection share one immutable list
   */
  public void further(List<String> newNames) {
    names = newNames;
    if (further.length < newNames.size()) {
      further = new double[newNames.size()];
    }
  }

  /** Sets the value of the further aggregator at an index of {@link #names}. */
  public void further(int index, double value) {
    further[index] = value;
  }

  /**
   * Sets the histogram.
   *
   * @param newCodec class of its codec, as in {@code tsd.core.histograms.config}
   * @param payload its bytes without a codec id, not copied
   */
  public void histogram(String newCodec, byte[] payload) {
    codec = newCodec;
    histogram = payload;
  }

  /** Whether there is nothing: stored values are deleted. */
  public boolean isDeletion() {
    return count == 0 && codec == null;
  }

  /** Whether there are the four values; else all there is is a histogram, or nothing. */
  public boolean hasValues() {
    return count > 0;
  }

  /** The class of the histogram's codec; null if there is no histogram. */
  public @Nullable String codec() {
    return codec;
  }

  /** The bytes of the histogram without a codec id; valid if there is a {@link #codec}. */
  public byte[] histogram() {
    return histogram;
  }

  /** Sum of the points. */
  public double sum() {
    return sum;
  }

  /** Smallest of the points. */
  public double min() {
    return min;
  }

  /** Largest of the points. */
  public double max() {
    return max;
  }

  /** Number of points; 0 for a deletion or a histogram alone. */
  public long count() {
    return count;
  }

  /** The names of the further aggregators; immutable, empty for a deletion. */
  public List<String> names() {
    return names;
  }

  /** The value of the further aggregator at an index of {@link #names}. */
  public double further(int index) {
    return further[index];
  }

  /** Whether all values are finite. JSON and a TSD cannot hold others. */
  public boolean isFinite() {
    if (!Double.isFinite(sum) || !Double.isFinite(min) || !Double.isFinite(max)) {
      return false;
    }
    for (int i = 0; i < names.size(); i++) {
      if (!Double.isFinite(further[i])) {
        return false;
      }
    }
    return true;
  }

  /** The values, for messages and tests. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("sum=").append(sum).append(" min=").append(min).append(" max=").append(max);
    text.append(" count=").append(count);
    for (int i = 0; i < names.size(); i++) {
      text.append(' ').append(names.get(i)).append('=').append(further[i]);
    }
    if (codec != null) {
      text.append(" histogram=").append(codec).append(" of ").append(histogram.length);
      text.append(" bytes");
    }
    return text.toString();
  }
}
