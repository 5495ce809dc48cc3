package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.plan.LateRows;
import io.tsdbsuite.rollup.report.Books;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Which of the rows that have changed have given rollups or have failed; of the others everything
 * is deleted, and what is stored for them must go. For one thread.
 */
final class LateProgress {
  private final LateRows rows;

  /** Hours that are not settled, by entry. */
  private final int[] left;

  LateProgress(LateRows rows) {
    this.rows = rows;
    this.left = new int[rows.size()];
    for (int i = 0; i < left.length; i++) {
      left[i] = rows.hours(i);
    }
  }

  /** A row gave rollups, or failed. */
  void settle(byte[] key, int off, int len) {
    int entry = rows.find(key, off, len);
    if (entry >= 0) {
      left[entry] &= ~(1 << rows.hour(key, off));
    }
  }

  /**
   * Some rows cannot be read, and one of them counts as failed for all.
   *
   * @param from the first of them
   * @param to the first that can, empty for the end of the table
   */
  void lose(byte[] from, byte[] to) {
    for (int entry = 0; entry < left.length; entry++) {
      for (int hour = 0; left[entry] >>> hour != 0; hour++) {
        byte[] row = rows.row(entry, hour);
        if (Arrays.compareUnsigned(row, from) >= 0
            && (to.length == 0 || Arrays.compareUnsigned(row, to) < 0)) {
          left[entry] &= ~(1 << hour);
        }
      }
    }
  }

  /**
   * No row comes any more: enters those that were not settled into the books.
   *
   * @param excluded whether a row is not wanted because of its metric
   */
  void finish(Predicate<byte[]> excluded, Books books) {
    for (int entry = 0; entry < left.length; entry++) {
      if (left[entry] != 0 && !excluded.test(rows.key(entry))) {
        for (int hour = 0; left[entry] >>> hour != 0; hour++) {
          if (((left[entry] >>> hour) & 1) != 0) {
            books.rowVanished(
                "row " + HexFormat.of().formatHex(rows.row(entry, hour)).toUpperCase(Locale.ROOT));
          }
        }
        left[entry] = 0;
      }
    }
  }
}
