package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of plain store files without common rows, read directly from their blocks; rows with
 * deletes or tags, and some rows after them, come from HBase's merge. For one thread.
 */
final class PlainRows implements RowReader {
  /** Rows with deletes are adjacent: each row that a TSD has compacted has deletes. */
  private static final int ROWS_BY_MERGE = 256;

  private final List<DirectRows> files;
  private final MergedRows merged;
  private final byte[] stopRow;
  private int current;
  private int byMerge;

  /** The row at which reading began last, or a row after the files that have been read. */
  private byte[] begin;

  private byte[] rowArray = {};
  private int rowOffset;
  private int rowLength;

  /**
   * @param files in the order of their rows
   * @param merged rows of the same files
   */
  PlainRows(List<DirectRows> files, MergedRows merged, byte[] startRow, byte[] stopRow) {
    this.files = List.copyOf(files);
    this.merged = merged;
    this.begin = startRow;
    this.stopRow = stopRow;
  }

  @Override
  public boolean peek() throws IOException {
    if (byMerge > 0) {
      if (!merged.peek()) {
        return false;
      }
      setRow(merged.rowArray(), merged.rowOffset(), merged.rowLength());
      return true;
    }
    while (!files.get(current).peek()) {
      if (current + 1 == files.size()) {
        return false;
      }
      // The earlier files have been read completely: a failure now does not concern their rows.
      begin = files.get(current).behind(begin);
      current++;
      files.get(current).seek(begin);
    }
    DirectRows rows = files.get(current);
    setRow(rows.rowArray(), rows.rowOffset(), rows.rowLength());
    return true;
  }

  private void setRow(byte[] array, int offset, int length) {
    rowArray = array;
    rowOffset = offset;
    rowLength = length;
  }

  private byte[] copyOfRow(int length) {
    return Arrays.copyOf(Arrays.copyOfRange(rowArray, rowOffset, rowOffset + rowLength), length);
  }

  @Override
  public byte[] rowArray() {
    return rowArray;
  }

  @Override
  public int rowOffset() {
    return rowOffset;
  }

  @Override
  public int rowLength() {
    return rowLength;
  }

  @Override
  public int read(CellVisitor visitor) throws IOException {
    if (byMerge == 0) {
      int cells = files.get(current).read(visitor);
      if (cells != DirectRows.NOT_PLAIN) {
        return cells;
      }
      visitor.restart();
      byMerge = ROWS_BY_MERGE;
      merged.seek(copyOfRow(rowLength));
      // This is the same row: it has cells, even if all are hidden.
      if (!merged.peek()) {
        return 0;
      }
    }
    int cells = merged.read(visitor);
    if (--byMerge == 0) {
      goDirect(copyOfRow(rowLength + 1));
    }
    return cells;
  }

  private void goDirect(byte[] row) {
    begin = row;
    files.get(current).seek(row);
  }

  @Override
  public void seek(byte[] row) throws IOException {
    if (byMerge > 0) {
      merged.seek(row);
    } else {
      goDirect(row);
    }
  }

  @Override
  public boolean resumeAfter(UnreadableBlockException failure) {
    if (byMerge > 0) {
      return merged.resumeAfter(failure);
    }
    begin = failure.resumeRow();
    files.get(current).restartAt(begin);
    return begin.length > 0 && (stopRow.length == 0 || Arrays.compareUnsigned(begin, stopRow) < 0);
  }

  @Override
  public void close() {
    merged.close();
  }
}
