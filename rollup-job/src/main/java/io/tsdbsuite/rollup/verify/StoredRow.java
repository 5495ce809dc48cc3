package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.hbase.read.CellVisitor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row of a table of rollups, by the offset of their interval in the row. Reused
 * for every row; for one thread.
 */
abstract class StoredRow implements CellVisitor {
  private final String table;
  private final List<String> problems = new ArrayList<>();
  private byte[] key = {};
  private int count;
  private int others;
  private long oldest;

  /** Bits of what the row's metric has of what the table may have. */
  int wanted;

  /**
   * @param table for messages
   */
  StoredRow(String table) {
    this.table = table;
  }

  /**
   * Begins a row.
   *
   * @param ofMetric bits of what its metric has: other cells are only counted
   */
  public void begin(byte[] rowKey, int ofMetric) {
    key = rowKey;
    wanted = ofMetric;
    restart();
  }

  /** The key of the row. */
  byte[] key() {
    return key;
  }

  /** Ends the row and enters it into the books. */
  void end(StoredBooks books) {
    books.row(count, others, oldest);
    problems.forEach(what -> malformed(books, what));
  }

  @Override
  public void restart() {
    problems.clear();
    count = 0;
    others = 0;
    oldest = Long.MAX_VALUE;
  }

  /** Enters a cell that cannot be compared into the books. */
  void malformed(StoredBooks books, String what) {
    books.malformed(what);
  }

  /** Counts a cell. */
  void count(long timestamp) {
    count++;
    oldest = Math.min(oldest, timestamp);
  }

  /** Counts the current cell as one of what the metric does not have. */
  void other() {
    others++;
  }

  void malformed(byte[] qualifier, int off, int len, String why) {
    malformed(
        ", column %s: %s".formatted(HexFormat.of().formatHex(qualifier, off, off + len), why));
  }

  /** Counts a cell; {@code what} follows the row key. */
  void malformed(String what) {
    problems.add("table %s, row %s%s".formatted(table, HexFormat.of().formatHex(key), what));
  }

  /** Number of cells. */
  int count() {
    return count;
  }

  /** Number of possible offsets. */
  abstract int offsets();

  /** Returns the record of what is stored at an offset; null if there is nothing. */
  abstract byte @Nullable [] record(int offset);
}
