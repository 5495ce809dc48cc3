package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;

/** Which times of a scan count. Fast if most times are near the one before. Not thread-safe. */
final class Clip {
  private final TimeRanges ranges;
  private long from;
  private long to;

  /** Times in milliseconds. */
  Clip(TimeRanges ranges) {
    this.ranges = ranges;
    if (ranges.size() > 0) {
      from = ranges.from(0);
      to = ranges.to(0);
    }
  }

  /** Whether a time counts. */
  boolean has(long time) {
    return hasAny(time, time + 1);
  }

  /** Whether a time counts of those from {@code begin} on, before {@code end}. */
  boolean hasAny(long begin, long end) {
    return (begin < to && end > from) || find(begin, end);
  }

  private boolean find(long begin, long end) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (end <= ranges.from(middle)) {
        high = middle - 1;
      } else if (begin >= ranges.to(middle)) {
        low = middle + 1;
      } else {
        from = ranges.from(middle);
        to = ranges.to(middle);
        return true;
      }
    }
    return false;
  }
}
