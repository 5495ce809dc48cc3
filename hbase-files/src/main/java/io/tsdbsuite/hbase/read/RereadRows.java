package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a block a second time before it counts as corrupt, because storage may have delivered wrong
 * bytes once. All files are opened again for this, so that no byte of the first read remains. For
 * one thread.
 */
final class RereadRows implements RowReader {
  private final RegionFiles files;
  private final Function<byte[], RowReader> opener;
  private RowReader rows;

  /** The row of the last second read; null before. */
  private byte @Nullable [] reread;

  /**
   * @param opener opens the rows of {@code files} from a given row
   */
  RereadRows(RegionFiles files, Function<byte[], RowReader> opener, byte[] startRow) {
    this.files = files;
    this.opener = opener;
    this.rows = opener.apply(startRow);
  }

  /** The current reader of the rows. */
  RowReader current() {
    return rows;
  }

  /**
   * Reads again from the row that failed, unless this is the second failure there.
   *
   * @throws UnreadableBlockException the same exception, at the second failure
   */
  private void again(UnreadableBlockException failure) throws IOException {
    byte[] row = failure.firstRow();
    if (Arrays.equals(row, reread)) {
      throw failure;
    }
    reread = row;
    rows.close();
    files.reopen();
    rows = opener.apply(row);
  }

  @Override
  public boolean peek() throws IOException {
    try {
      return rows.peek();
    } catch (UnreadableBlockException e) {
      again(e);
      return rows.peek();
    }
  }

  @Override
  public byte[] rowArray() {
    return rows.rowArray();
  }

  @Override
  public int rowOffset() {
    return rows.rowOffset();
  }

  @Override
  public int rowLength() {
    return rows.rowLength();
  }

  @Override
  public int read(CellVisitor visitor) throws IOException {
    try {
      return rows.read(visitor);
    } catch (UnreadableBlockException e) {
      byte[] row = row();
      again(e);
      visitor.restart();
      if (!rows.peek() || !Arrays.equals(row, row())) {
        throw new IOException("HFile " + e.file() + " has other rows when it is read again", e);
      }
      return rows.read(visitor);
    }
  }

  private byte[] row() {
    int offset = rows.rowOffset();
    return Arrays.copyOfRange(rows.rowArray(), offset, offset + rows.rowLength());
  }

  @Override
  public void seek(byte[] row) throws IOException {
    try {
      rows.seek(row);
    } catch (UnreadableBlockException e) {
      again(e);
    }
  }

  @Override
  public boolean resumeAfter(UnreadableBlockException failure) {
    return rows.resumeAfter(failure);
  }

  @Override
  public void close() {
    rows.close();
  }
}
