package io.tsdbsuite.meta.write;

import java.util.Arrays;

/**
 * The metrics with the most new series, in bounded memory (the Space-Saving algorithm): a metric
 * without a counter takes over the smallest counter with its count. With more metrics than counters
 * a count is too high by at most the total divided by the number of counters, and never too low.
 * Not thread-safe.
 */
final class NewSeriesTopK {
  static final int COUNTERS = 256;

  private final long[] metrics = new long[COUNTERS];
  private final long[] counts = new long[COUNTERS];
  private int used;
  private long total;

  /** One more new series of a metric; its UID as a number. */
  void add(long metric) {
    add(metric, 1);
  }

  private void add(long metric, long count) {
    total += count;
    int at = indexOf(metric);
    if (at < 0) {
      at = used < COUNTERS ? used++ : smallest();
      metrics[at] = metric;
    }
    counts[at] += count;
  }

  /** Adds the counts of another one. */
  void addAll(NewSeriesTopK other) {
    for (int i = 0; i < other.used; i++) {
      add(other.metrics[i], other.counts[i]);
    }
  }

  /** New series of all metrics. */
  long total() {
    return total;
  }

  /** UIDs of the metrics with the most new series, in descending order. */
  long[] top(int max) {
    long[] top = new long[Math.min(max, used)];
    boolean[] taken = new boolean[used];
    for (int n = 0; n < top.length; n++) {
      int best = -1;
      for (int i = 0; i < used; i++) {
        if (!taken[i] && (best < 0 || counts[i] > counts[best])) {
          best = i;
        }
      }
      taken[best] = true;
      top[n] = metrics[best];
    }
    return top;
  }

  /** New series of a metric, 0 if it has no counter. */
  long count(long metric) {
    int at = indexOf(metric);
    return at < 0 ? 0 : counts[at];
  }

  void clear() {
    Arrays.fill(counts, 0);
    used = 0;
    total = 0;
  }

  private int indexOf(long metric) {
    for (int i = 0; i < used; i++) {
      if (metrics[i] == metric) {
        return i;
      }
    }
    return -1;
  }

  private int smallest() {
    int smallest = 0;
    for (int i = 1; i < used; i++) {
      if (counts[i] < counts[smallest]) {
        smallest = i;
      }
    }
    return smallest;
  }
}
