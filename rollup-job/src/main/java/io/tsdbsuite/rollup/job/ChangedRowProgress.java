package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Predicate;

/**
 * Which of the rows that have changed have given rollups or have failed; of the others everything
 * is deleted, and what is stored for them is taken back. For one thread.
 */
final class ChangedRowProgress {
  private final ChangedRowSet rows;

  /** Hours that are not settled, by entry. */
  private final int[] left;

  /** Entries of which some hour, changed or not, gave rollups, failed or could not be read. */
  private final BitSet some;

  /** The entry that is taken back next. */
  private int entry;

  ChangedRowProgress(ChangedRowSet rows) {
    this.rows = rows;
    this.left = new int[rows.size()];
    this.some = new BitSet(rows.size());
    for (int i = 0; i < left.length; i++) {
      left[i] = rows.hours(i);
    }
  }

  /** Whether a row is read because it has changed itself, and not only for its day's sake. */
  boolean hasChanged(byte[] key, int off, int len) {
    int of = rows.find(key, off, len);
    return of >= 0 && ((rows.hours(of) >>> rows.hour(key, off)) & 1) != 0;
  }

  /** A row gave rollups, or failed. */
  void settle(byte[] key, int off, int len) {
    int of = rows.find(key, off, len);
    if (of >= 0) {
      some.set(of);
      left[of] &= ~(1 << rows.hour(key, off));
    }
  }

  /**
   * Some rows cannot be read, and one of them counts as failed for all.
   *
   * @param from the first of them
   * @param to the first that can, empty for the end of the table
   */
  void lose(byte[] from, byte[] to) {
    for (int of = 0; of < left.length; of++) {
      for (int hour = 0; hour < rows.hoursPerEntry(); hour++) {
        byte[] row = rows.row(of, hour);
        if (Arrays.compareUnsigned(row, from) >= 0
            && (to.length == 0 || Arrays.compareUnsigned(row, to) < 0)) {
          some.set(of);
          left[of] &= ~(1 << hour);
        }
      }
    }
  }

  /**
   * No row comes any more: takes back what is stored for those that were not settled, one row with
   * each call, so that a sink that waits to be emptied never has many.
   *
   * @param excluded whether a row is not wanted because of its metric
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
    boolean dayIsEmpty = !some.get(entry);
    if (dayIsEmpty && left[entry] == rows.hours(entry)) {
      deletions.day(rows.key(entry), sink, books);
    }
    int hour = Integer.numberOfTrailingZeros(left[entry]);
    deletions.hour(rows.row(entry, hour), dayIsEmpty, sink, books);
    left[entry] &= ~(1 << hour);
    return true;
  }
}
