package io.tsdbsuite.query.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.opentsdb.meta.Annotation;

/** What one scan found of one series. Not thread-safe. */
final class ScannedSeries {
  private final byte[] key;
  private final boolean counted;
  private final List<Annotation> annotations = new ArrayList<>(0);
  private boolean kept;

  long[] times = new long[16];
  double[] values = new double[16];
  long[] counts;
  int size;

  /**
   * @param key of any row of the series
   * @param counted whether each value has a count
   */
  ScannedSeries(byte[] key, boolean counted) {
    this.key = key;
    this.counted = counted;
    this.counts = new long[counted ? 16 : 0];
  }

  byte[] key() {
    return key;
  }

  /** Whether the filters let the series pass. */
  boolean isKept() {
    return kept;
  }

  void keep() {
    kept = true;
  }

  List<Annotation> annotations() {
    return annotations;
  }

  /**
   * Adds a value.
   *
   * @param time milliseconds, after that of the last value
   * @param count how many points it stands for
   */
  void add(long time, double value, long count) {
    if (size > 0 && time <= times[size - 1]) {
      throw new IllegalStateException("time " + time + " after " + times[size - 1]);
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
      if (counted) {
        counts = Arrays.copyOf(counts, 2 * size);
      }
    }
    times[size] = time;
    values[size] = value;
    if (counted) {
      counts[size] = count;
    }
    size++;
  }
}
