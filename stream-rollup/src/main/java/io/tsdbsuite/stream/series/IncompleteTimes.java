package io.tsdbsuite.stream.series;

import java.util.Arrays;

/**
 * The times of which Kafka's messages were not all read: before the job started, and where Kafka
 * deleted messages before they were read. Not thread-safe.
 */
public final class IncompleteTimes {
  /** A series whose first point comes within this time behind a range requests its buckets, ms. */
  private static final long REQUESTED = 86_400_000;

  /** Of more ranges a new one is joined with the nearest. */
  private static final int MOST = 256;

  private long[] ranges = new long[0];

  /** Creates a list without ranges. */
  public IncompleteTimes() {}

  /**
   * Adds a range. Ranges that meet are one, but for those of all times before.
   *
   * @param from inclusive, milliseconds since the epoch; Long.MIN_VALUE for all times before
   * @param to exclusive, milliseconds since the epoch
   * @return whether a part of it was not in one range before
   */
  public boolean add(long from, long to) {
    for (int i = 0; i < ranges.length; i += 2) {
      if (ranges[i] <= from && to <= ranges[i + 1] && isAllBefore(ranges[i]) == isAllBefore(from)) {
        return false;
      }
    }
    long joinedFrom = from;
    long joinedTo = to;
    int nearest = size() < MOST ? -1 : nearest(from, to);
    int kept = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      if (isAllBefore(ranges[i]) == isAllBefore(from)
          && (i == nearest || (ranges[i] <= to && from <= ranges[i + 1]))) {
        joinedFrom = Math.min(joinedFrom, ranges[i]);
        joinedTo = Math.max(joinedTo, ranges[i + 1]);
      } else {
        ranges[kept] = ranges[i];
        ranges[kept + 1] = ranges[i + 1];
        kept += 2;
      }
    }
    ranges = Arrays.copyOf(ranges, kept + 2);
    ranges[kept] = joinedFrom;
    ranges[kept + 1] = joinedTo;
    return true;
  }

  private static boolean isAllBefore(long from) {
    return from == Long.MIN_VALUE;
  }

  private int nearest(long from, long to) {
    int nearest = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ranges.length; i += 2) {
      long between = Math.max(ranges[i] - to, from - ranges[i + 1]);
      if (!isAllBefore(ranges[i]) && between < least) {
        least = between;
        nearest = i;
      }
    }
    return nearest;
  }

  /** Drops ranges that end at or before a time. */
  public void forget(long before) {
    int kept = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      if (ranges[i + 1] > before) {
        ranges[kept] = ranges[i];
        ranges[kept + 1] = ranges[i + 1];
        kept += 2;
      }
    }
    ranges = Arrays.copyOf(ranges, kept);
  }

  /** Whether a bucket from {@code start} to {@code end}, exclusive, in ms, meets a range. */
  public boolean meets(long start, long end) {
    for (int i = 0; i < ranges.length; i += 2) {
      if (start < ranges[i + 1] && ranges[i] < end) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a series that is first seen now requests the buckets of a range, which it may have had
   * points in. Until a day behind the range its state is kept, so that it does it once.
   *
   * @param time milliseconds since the epoch
   */
  boolean isRequested(int i, long time) {
    return from(i) != Long.MIN_VALUE && time < to(i) + REQUESTED;
  }

  /** Until when {@link #isRequested} holds for a range, ms; Long.MIN_VALUE for none. */
  long requestedUntil() {
    long until = Long.MIN_VALUE;
    for (int i = 0; i < size(); i++) {
      if (from(i) != Long.MIN_VALUE) {
        until = Math.max(until, to(i) + REQUESTED);
      }
    }
    return until;
  }

  /** Number of ranges. */
  public int size() {
    return ranges.length / 2;
  }

  /** Start of a range, inclusive, milliseconds since the epoch. */
  public long from(int i) {
    return ranges[2 * i];
  }

  /** End of a range, exclusive, milliseconds since the epoch. */
  public long to(int i) {
    return ranges[2 * i + 1];
  }
}
