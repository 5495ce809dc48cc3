package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Tracks which changed rows have produced rollups or failed. The data of the other changed rows are
 * deleted, so their stored rollups are taken back. For one thread.
 */
final class ChangedRowProgress {
  private final ChangedRowSet rows;

  /** Unsettled hours by entry, as a bit set. */
  private final int[] left;

  /** Hours by entry, changed or not, that produced rollups, failed or could not be read. */
  private final int[] settled;

  /** The next entry to take back. */
  private int entry;

  ChangedRowProgress(ChangedRowSet rows) {
    this.rows = rows;
    this.left = new int[rows.size()];
    this.settled = new int[rows.size()];
    for (int i = 0; i < left.length; i++) {
      left[i] = rows.hours(i);
    }
  }

  /** Whether the row itself has changed; otherwise it is read only to complete its day. */
  boolean hasChanged(byte[] key, int off, int len) {
    int of = rows.find(key, off, len);
    return of >= 0 && ((rows.hours(of) >>> rows.hour(key, off)) & 1) != 0;
  }

  /** Records that a row produced rollups or failed. */
  void settle(byte[] key, int off, int len) {
    int of = rows.find(key, off, len);
    if (of >= 0) {
      settle(of, rows.hour(key, off));
    }
  }

  private void settle(int of, int hour) {
    settled[of] |= 1 << hour;
    left[of] &= ~(1 << hour);
  }

  /**
   * Records a range of unreadable rows. Every changed row in it is settled; one failed row stands
   * for all of them.
   *
   * @param from first unreadable row, inclusive
   * @param to first readable row after the range; empty for the end of the table
   */
  void lose(byte[] from, byte[] to) {
    for (int of = 0; of < left.length; of++) {
      for (int hour = 0; hour < rows.hoursPerEntry(); hour++) {
        byte[] row = rows.row(of, hour);
        if (Arrays.compareUnsigned(row, from) >= 0
            && (to.length == 0 || Arrays.compareUnsigned(row, to) < 0)) {
          settle(of, hour);
        }
      }
    }
  }

  /**
   * Takes back the stored rollups of unsettled rows after the last row was read. Each call handles
   * one row, which keeps the sink's buffer small.
   *
   * @param excluded whether the metric filter excludes a row
   * @return whether there may be more
   */
  boolean finish(
      Predicate<byte[]> excluded, RollupDeletions deletions, RollupSink sink, Books books)
      throws SinkException {
    while (entry < left.length && (left[entry] == 0 || excluded.test(rows.key(entry)))) {
      entry++;
    }
    if (entry == left.length) {
      return false;
    }
    int hour = Integer.numberOfTrailingZeros(left[entry]);
    deletions.hour(rows.row(entry, hour), rows.hours(entry), settled[entry], sink, books);
    left[entry] &= ~(1 << hour);
    return true;
  }
}
