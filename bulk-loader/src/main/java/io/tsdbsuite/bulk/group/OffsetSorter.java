package io.tsdbsuite.bulk.group;

import java.util.Arrays;

/**
 * Sorts points of an hour by offset, then arrival.
 *
 * <pre>
 *   63            54 53                   32 31                 0
 *   | 0            | offset, milliseconds   | address in the array |
 * </pre>
 *
 * <p>Many points are sorted by the digits of their offset, 11 bits at a time, which keeps the order
 * of arrival; few points by comparison, which the low bits make the same.
 */
final class OffsetSorter {
  private static final int DIGIT = 11;
  private static final int DIGITS = 1 << DIGIT;

  /** Where sorting by digits begins to be faster than by comparison. */
  private static final int MANY = 512;

  private static final int LARGE = 1 << 15;

  private long[] keys = new long[64];
  private long[] spare = new long[0];
  private final int[] low = new int[DIGITS];
  private final int[] high = new int[DIGITS];

  /** Room for keys; fill it, then sort. */
  long[] reserve(int count) {
    if (keys.length < count) {
      keys = new long[count + count / 4];
    }
    return keys;
  }

  /** The first {@code n} keys sorted; valid until the next call. */
  long[] sort(int n) {
    if (n < MANY) {
      Arrays.sort(keys, 0, n);
      return keys;
    }
    if (spare.length < n) {
      spare = new long[keys.length];
    }
    Arrays.fill(low, 0);
    Arrays.fill(high, 0);
    for (int i = 0; i < n; i++) {
      int offset = (int) (keys[i] >>> 32);
      low[offset & (DIGITS - 1)]++;
      high[offset >>> DIGIT]++;
    }
    starts(low);
    starts(high);
    for (int i = 0; i < n; i++) {
      spare[low[(int) (keys[i] >>> 32) & (DIGITS - 1)]++] = keys[i];
    }
    for (int i = 0; i < n; i++) {
      keys[high[(int) (spare[i] >>> (32 + DIGIT))]++] = spare[i];
    }
    return keys;
  }

  private static void starts(int[] counts) {
    int at = 0;
    for (int i = 0; i < DIGITS; i++) {
      int count = counts[i];
      counts[i] = at;
      at += count;
    }
  }

  /** Frees large buffers. */
  void trim() {
    if (keys.length > LARGE) {
      keys = new long[64];
      spare = new long[0];
    }
  }

  /** Bytes for so many points. */
  static long memory(long count) {
    return (count + count / 4) * 16;
  }
}
