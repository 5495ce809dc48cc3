package io.tsdbsuite.rollup.day;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Ranges of rows that could not be read, because a block is corrupt: nobody knows which rows of
 * them there are, so any series is hit that could have one. Ranges come in the order of the rows.
 * For one thread.
 */
public final class LostRows {
  /**
   * Rows between two borders.
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

  /** No row is lost. */
  public LostRows() {}

  /**
   * Rows are lost.
   *
   * @param from the first of them
   * @param to the first that is not, empty for the end of the table
   */
  public void add(byte[] from, byte[] to) {
    Range last = ranges.peekLast();
    if (last != null && Arrays.compareUnsigned(from, last.to) <= 0) {
      ranges.removeLast();
      ranges.addLast(new Range(last.from, to));
    } else {
      ranges.addLast(new Range(from.clone(), to.clone()));
    }
  }

  /** Forgets ranges that end before a row, because no row before it will be asked for. */
  public void forgetBefore(byte[] row) {
    while (!ranges.isEmpty() && ranges.peekFirst().isBefore(row)) {
      ranges.removeFirst();
    }
  }

  /** Whether every row can be read that will be asked for. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Whether a row could be among those that are lost. */
  public boolean has(byte[] row) {
    for (Range range : ranges) {
      if (range.has(row)) {
        return true;
      }
    }
    return false;
  }
}
