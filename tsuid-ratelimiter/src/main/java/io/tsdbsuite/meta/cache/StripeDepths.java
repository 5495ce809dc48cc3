package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Number of times that the series of a metric with one TSUID length were halved; metrics that were
 * never halved are absent. An open-addressing table of pairs: metric, then length and depth.
 * Reading takes no lock; the caller holds its lock for a metric when it changes its depth.
 */
final class StripeDepths {
  /** 2^24 blocks for one metric. */
  static final int DEEPEST = 24;

  private static final int DEPTH_BITS = 8;
  private static final long DEPTH = (1L << DEPTH_BITS) - 1;
  private static final int SMALLEST = 16;

  private volatile AtomicLongArray table = new AtomicLongArray(2 * SMALLEST);
  private int used;

  /** 0 if never halved. */
  int get(long metric, int length) {
    AtomicLongArray pairs = table;
    long second = pairs.get(find(pairs, metric, length) + 1);
    return (int) (second & DEPTH);
  }

  /** Sets the depth, 1 or more. */
  synchronized void set(long metric, int length, int depth) {
    AtomicLongArray pairs = table;
    int at = find(pairs, metric, length);
    if (pairs.get(at + 1) == 0) {
      if (4 * (used + 1) > pairs.length()) {
        pairs = rebuilt(pairs);
        at = find(pairs, metric, length);
      }
      used++;
    }
    put(pairs, at, metric, length, depth);
    table = pairs;
  }

  private static void put(AtomicLongArray pairs, int at, long metric, int length, int depth) {
    pairs.set(at, metric);
    pairs.set(at + 1, (long) length << DEPTH_BITS | depth);
  }

  private AtomicLongArray rebuilt(AtomicLongArray old) {
    AtomicLongArray pairs = new AtomicLongArray(2 * old.length());
    for (int at = 0; at < old.length(); at += 2) {
      long second = old.get(at + 1);
      int depth = (int) (second & DEPTH);
      if (depth != 0) {
        int length = (int) (second >>> DEPTH_BITS);
        put(pairs, find(pairs, old.get(at), length), old.get(at), length, depth);
      }
    }
    return pairs;
  }

  /** Where the pair is, or would be. */
  private static int find(AtomicLongArray pairs, long metric, int length) {
    int mask = pairs.length() - 1;
    int at = ((int) Hash.ofMetric(metric, length) << 1) & mask;
    for (; ; ) {
      long second = pairs.get(at + 1);
      if (second == 0 || (second >>> DEPTH_BITS == length && pairs.get(at) == metric)) {
        return at;
      }
      at = (at + 2) & mask;
    }
  }

  /** Bytes of its table. */
  long memoryBytes() {
    return 16 + 16 + 8L * table.length();
  }
}
