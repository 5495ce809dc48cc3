package io.tsdbsuite.rollup.day;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Ranges of rows in corrupt blocks. It is unknown which of these rows exist, so every series with a
 * possible row in a range is affected. Ranges are added in the order of their first rows. For one
 * thread.
 */
public final class LostRows {
  /**
   * A range of rows.
   *
   * @param to exclusive; empty for the end of the table
   */
  private record Range(byte[] from, byte[] to) {
    private boolean isBefore(byte[] row) {
      return to.length > 0 && Arrays.compareUnsigned(to, row) <= 0;
    }

    private boolean has(byte[] row) {
      return Arrays.compareUnsigned(from, row) <= 0
          && (to.length == 0 || Arrays.compareUnsigned(row, to) < 0);
    }
  }

  private final ArrayDeque<Range> ranges = new ArrayDeque<>();

  /**
   * Adds a range.
   *
   * @param from first unreadable row, inclusive
   * @param to first readable row after the range; empty for the end of the table
   */
  public void add(byte[] from, byte[] to) {
    Range last = ranges.peekLast();
    if (last != null && (last.to.length == 0 || Arrays.compareUnsigned(from, last.to) <= 0)) {
      // A block of another salt bucket may end before.
      if (last.to.length > 0 && (to.length == 0 || Arrays.compareUnsigned(to, last.to) > 0)) {
        ranges.removeLast();
        ranges.addLast(new Range(last.from, to.clone()));
      }
    } else {
      ranges.addLast(new Range(from.clone(), to.clone()));
    }
  }

  /** Removes ranges that end before a row; later queries must not ask for rows before it. */
  public void forgetBefore(byte[] row) {
    while (!ranges.isEmpty() && ranges.peekFirst().isBefore(row)) {
      ranges.removeFirst();
    }
  }

  /** Whether there is no range. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Whether a row is in a range. */
  public boolean has(byte[] row) {
    for (Range range : ranges) {
      if (range.has(row)) {
        return true;
      }
    }
    return false;
  }
}
