package io.tsdbsuite.coverage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A set of times, as ranges {@code [from, to)} in milliseconds since the epoch that neither overlap
 * nor touch, in ascending order. Immutable.
 */
public final class TimeRanges {
  private static final TimeRanges NONE = new TimeRanges(new long[0]);

  // from, to, from, to ...: strictly ascending.
  private final long[] bounds;

  private TimeRanges(long[] bounds) {
    this.bounds = bounds;
  }

  /** The empty set. */
  public static TimeRanges none() {
    return NONE;
  }

  /** The times of one range; empty if {@code to <= from}. */
  public static TimeRanges of(long from, long to) {
    return to <= from ? NONE : new TimeRanges(new long[] {from, to});
  }

  public boolean isEmpty() {
    return bounds.length == 0;
  }

  /** How many ranges there are. */
  public int size() {
    return bounds.length / 2;
  }

  /** The first time of a range, inclusive. */
  public long from(int range) {
    return bounds[2 * range];
  }

  /** The end of a range, exclusive. */
  public long to(int range) {
    return bounds[2 * range + 1];
  }

  /** The sum of the lengths of all ranges, in milliseconds. */
  public long length() {
    long length = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      length += bounds[i + 1] - bounds[i];
    }
    return length;
  }

  /** Whether all times of {@code [from, to)} are in the set. */
  public boolean contains(long from, long to) {
    if (to <= from) {
      return true;
    }
    int i = Arrays.binarySearch(bounds, from);
    int range = i >= 0 ? i : -i - 2;
    return range >= 0 && range % 2 == 0 && to <= bounds[range + 1];
  }

  /** The times that are in this set or in the other. */
  public TimeRanges plus(TimeRanges other) {
    return combine(other, (here, there) -> here || there);
  }

  /** The times that are in both sets. */
  public TimeRanges intersect(TimeRanges other) {
    return combine(other, (here, there) -> here && there);
  }

  /** The times of this set that are not in the other. */
  public TimeRanges minus(TimeRanges other) {
    return combine(other, (here, there) -> here && !there);
  }

  /** A rule that says of a time whether it is in the result; false for a time in neither set. */
  private interface Rule {
    boolean keeps(boolean here, boolean there);
  }

  /** Goes through the bounds of both sets in order; at each the rule may change its answer. */
  private TimeRanges combine(TimeRanges other, Rule rule) {
    long[] a = bounds;
    long[] b = other.bounds;
    long[] result = new long[a.length + b.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      long time;
      if (j == b.length || (i < a.length && a[i] <= b[j])) {
        time = a[i];
      } else {
        time = b[j];
      }
      while (i < a.length && a[i] == time) {
        i++;
      }
      while (j < b.length && b[j] == time) {
        j++;
      }
      boolean open = size % 2 == 1;
      if (rule.keeps(i % 2 == 1, j % 2 == 1) != open) {
        result[size++] = time;
      }
    }
    return size == 0 ? NONE : new TimeRanges(Arrays.copyOf(result, size));
  }

  /** The times that are in any of the sets. */
  static TimeRanges union(List<TimeRanges> sets) {
    List<long[]> ranges = new ArrayList<>();
    for (TimeRanges set : sets) {
      for (int i = 0; i < set.bounds.length; i += 2) {
        ranges.add(new long[] {set.bounds[i], set.bounds[i + 1]});
      }
    }
    ranges.sort(Comparator.comparingLong(range -> range[0]));
    Builder union = new Builder();
    long end = Long.MIN_VALUE;
    for (long[] range : ranges) {
      union.add(Math.max(range[0], end), range[1]);
      end = Math.max(end, range[1]);
    }
    return union.build();
  }

  /** Collects ranges in ascending order; ranges that touch become one. */
  static final class Builder {
    private long[] bounds = new long[16];
    private int size;

    /** Adds a range that begins at or after the end of the last one; nothing if it is empty. */
    void add(long from, long to) {
      if (to <= from) {
        return;
      }
      if (size > 0 && bounds[size - 1] == from) {
        bounds[size - 1] = to;
        return;
      }
      if (size == bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * size);
      }
      bounds[size++] = from;
      bounds[size++] = to;
    }

    TimeRanges build() {
      return size == 0 ? NONE : new TimeRanges(Arrays.copyOf(bounds, size));
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TimeRanges && Arrays.equals(bounds, ((TimeRanges) o).bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /** {@code [from, to) [from, to)}, milliseconds. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bounds.length; i += 2) {
      text.append(i == 0 ? "[" : " [").append(bounds[i]).append(", ").append(bounds[i + 1]);
      text.append(')');
    }
    return text.toString();
  }
}
