package io.tsdbsuite.format.row;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sorts indexes of points by time: a stable, natural merge sort. The points do not move. Reusable;
 * allocates only to grow.
 */
final class PointSorter {
  private int[] order = new int[64];
  private int[] spare = new int[64];
  private int[] runs = new int[16];

  /**
   * Sorts points {@code from} to {@code to - 1} by ascending offset, then by descending stamp, then
   * by insertion order.
   *
   * @return the indexes in the first {@code to - from} entries; the next call overwrites the array
   * @param stamps one stamp for each point of the buffer, or null to ignore stamps
   */
  int[] sort(PointBuffer points, int from, int to, long @Nullable [] stamps) {
    int n = to - from;
    if (order.length < n) {
      order = new int[Math.max(n, order.length * 2)];
      spare = new int[order.length];
    }
    int count = 0;
    for (int i = 0; i < n; i++) {
      order[i] = from + i;
      if (i == 0 || after(points, stamps, from + i - 1, from + i)) {
        count = addRun(count, i);
      }
    }
    while (count > 1) {
      count = mergePairs(points, stamps, count, n);
    }
    return order;
  }

  private int addRun(int count, int start) {
    if (count == runs.length) {
      runs = Arrays.copyOf(runs, count * 2);
    }
    runs[count] = start;
    return count + 1;
  }

  /** Merges each pair of neighbouring runs; returns the number of runs left. */
  private int mergePairs(PointBuffer points, long @Nullable [] stamps, int count, int n) {
    int left = 0;
    for (int run = 0; run < count; run += 2) {
      int start = runs[run];
      int middle = run + 1 < count ? runs[run + 1] : n;
      int end = run + 2 < count ? runs[run + 2] : n;
      merge(points, stamps, start, middle, end);
      runs[left++] = start;
    }
    int[] swap = order;
    order = spare;
    spare = swap;
    return left;
  }

  private void merge(PointBuffer points, long @Nullable [] stamps, int start, int middle, int end) {
    int a = start;
    int b = middle;
    for (int out = start; out < end; out++) {
      boolean takeB = a == middle || (b < end && after(points, stamps, order[a], order[b]));
      spare[out] = takeB ? order[b++] : order[a++];
    }
  }

  /** Whether point {@code a} sorts after point {@code b}. */
  private static boolean after(PointBuffer points, long @Nullable [] stamps, int a, int b) {
    int offsetA = points.offsetMillis(a);
    int offsetB = points.offsetMillis(b);
    if (offsetA != offsetB) {
      return offsetA > offsetB;
    }
    return stamps != null && stamps[a] < stamps[b];
  }
}
