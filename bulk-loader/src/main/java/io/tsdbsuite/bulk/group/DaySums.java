package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.Tally;
import java.util.Arrays;

/**
 * Accepted points by day. The memory is 8 bytes for each day between the first and the last, at
 * most 400 KB: times are below 2^32 s.
 */
final class DaySums {
  private static final int ROOM = 64;

  /** Sums of the days from {@code first} on. */
  private long[] sums = new long[0];

  private int first;

  /** Adds points of a day since the epoch. */
  void add(int day, long points) {
    int at = day - first;
    if (at < 0 || at >= sums.length) {
      at = grow(day);
    }
    sums[at] += points;
  }

  private int grow(int day) {
    if (sums.length == 0) {
      first = day;
      sums = new long[ROOM];
      return 0;
    }
    int low = day < first ? Math.max(0, day - ROOM) : first;
    int high = Math.max(first + sums.length, day + 1 + ROOM);
    long[] wider = new long[high - low];
    System.arraycopy(sums, 0, wider, first - low, sums.length);
    first = low;
    sums = wider;
    return day - first;
  }

  /** Adds the sums to a tally, and starts at 0. */
  void drainTo(Tally tally) {
    for (int i = 0; i < sums.length; i++) {
      if (sums[i] != 0) {
        tally.accept(first + i, sums[i]);
      }
    }
    Arrays.fill(sums, 0);
  }
}
