package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.io.hfile.DataBlocks;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one HFile, read directly from its blocks, without HBase's merge: for files of a range
 * that have no row in common with another one. For one thread.
 *
 * <pre>
 *   wanted rows   |-- range --|                  |-- range --|
 *   blocks        | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |
 *   requests      |-----------|                  |-----------|
 * </pre>
 *
 * <ol>
 *   <li>{@link #seek} only notes the row; seeks go forward.
 *   <li>{@link #peek} finds the block of that row in the index, unless it is in the block at hand,
 *       and announces the bytes up to the end of its range, so that one request of a piece or
 *       several fetch them. Then it steps over the cells before the row.
 *   <li>{@link #read} gives the cells of the row to the visitor. Of a column the first cell is the
 *       newest. A row with anything but plain puts is {@link #NOT_PLAIN}, and is read by the merge.
 *   <li>Where reading goes on behind an announced range, further bytes are announced: 128 KiB,
 *       twice as many each time up to a piece, never behind the block of the stop row.
 *   <li>A failure names the block. {@link #restartAt} loads it once more.
 * </ol>
 */
final class DirectRows {
  /** The row has cells that are not plain puts. */
  static final int NOT_PLAIN = -1;

  private static final long LEAST_AHEAD = 128 << 10;

  private final RegionFiles files;
  private final OpenFile file;
  private final byte[] stopRow;
  private final ReadRanges ranges;
  private final DataBlocks blocks;
  private final CellCursor cell;

  /** The row to seek before the next row is known; null when {@link #cell} is at the row. */
  private byte @Nullable [] target;

  /** Bytes to fetch beyond a range, because reading continues. */
  private long ahead;

  private long limit;
  private boolean inIndex;
  private boolean found;
  private boolean stale;
  private byte[] rowArray = {};
  private int rowOffset;
  private int rowLength;

  DirectRows(
      ReadSource source,
      RegionFiles files,
      OpenFile file,
      byte[] startRow,
      byte[] stopRow,
      ReadRanges ranges) {
    this.files = files;
    this.file = file;
    this.stopRow = stopRow;
    this.ranges = ranges;
    this.target = startRow;
    this.blocks = new DataBlocks(file.reader(), source.conf());
    this.cell = new CellCursor(blocks.includesTags(), blocks.includesSequence());
  }

  /** Like {@link RowReader#peek}. */
  boolean peek() throws IOException {
    if (target != null) {
      go(target);
    }
    if (!found || (stopRow.length > 0 && cell.compareRow(stopRow, 0, stopRow.length) >= 0)) {
      return false;
    }
    rowArray = cell.array();
    rowOffset = cell.rowOffset;
    rowLength = cell.rowLength;
    return true;
  }

  byte[] rowArray() {
    return rowArray;
  }

  int rowOffset() {
    return rowOffset;
  }

  int rowLength() {
    return rowLength;
  }

  /**
   * Like {@link RowReader#read}, but may return {@link #NOT_PLAIN}; the visitor must then discard
   * the row.
   */
  int read(CellVisitor visitor) throws IOException {
    int cells = 0;
    byte[] array = null;
    int offset = 0;
    int length = 0;
    do {
      if (!cell.isPlain()) {
        return NOT_PLAIN;
      }
      if (array == null || !cell.isQualifier(array, offset, length)) {
        array = cell.array();
        offset = cell.qualifierOffset;
        length = cell.qualifierLength;
        visitor.cell(
            array, offset, length, array, cell.valueOffset, cell.valueLength, cell.timestamp);
        cells++;
      }
      advance();
    } while (found && cell.isRow(rowArray, rowOffset, rowLength));
    return cells;
  }

  /** A row after the last row of the file, or the given row if that is later. */
  byte[] behind(byte[] row) {
    return file.behind(row);
  }

  /** Like {@link RowReader#seek}, but the next {@link #peek} throws a failure. */
  void seek(byte[] row) {
    target = row;
  }

  /** Like {@link RowReader#seek}, after a failure. */
  void restartAt(byte[] row) {
    target = row;
    stale = true;
  }

  private void go(byte[] row) throws IOException {
    byte[] end = rangeEnd(row);
    try {
      position(row, end);
      while (found && cell.compareRow(row, 0, row.length) < 0) {
        found = step();
      }
      target = null;
    } catch (IOException | RuntimeException | AssertionError e) {
      throw failure(e, row);
    }
  }

  /**
   * Goes to a cell at or before the row, in the row's block.
   *
   * @param end first row after the range to be read; null when all rows are read
   */
  private void position(byte[] row, byte @Nullable [] end) throws IOException {
    if (!file.reaches(row)) {
      found = false;
      return;
    }
    inIndex = true;
    BlockPlace place = file.find(row);
    if (blocks.isLoaded() && !stale && (!found || place.offset() <= blocks.offset())) {
      // Seeks only go forward, so the position is in this block or after the last row.
      inIndex = false;
      return;
    }
    ahead = 0;
    file.expect(place.offset(), Math.min(file.endOfBlock(end), limit()), files.piece());
    inIndex = false;
    blocks.load(place.offset(), place.onDiskSize());
    stale = false;
    cell.block(blocks.array(), blocks.from(), blocks.to());
    found = step();
  }

  /**
   * Continues after the expected range, because the next range may follow without a gap: expects as
   * many further bytes as were read this way so far.
   */
  private void expectNext() throws IOException {
    long next = blocks.nextOffset();
    if (next >= file.expectedEnd()) {
      ahead = Math.min(files.piece(), Math.max(LEAST_AHEAD, 2 * ahead));
      byte[] row =
          Arrays.copyOfRange(cell.array(), cell.rowOffset, cell.rowOffset + cell.rowLength);
      long end = Math.max(file.endOfBlock(rangeEnd(row)), next + ahead);
      file.expect(next, Math.min(end, limit()), files.piece());
    }
  }

  /** Offset of the end of the last row's block; no byte after it is read. */
  private long limit() throws IOException {
    if (limit == 0) {
      long end = file.endOfBlock(stopRow.length == 0 ? null : stopRow);
      limit = end == 0 ? file.file().length() : end;
    }
    return limit;
  }

  private byte @Nullable [] rangeEnd(byte[] row) {
    byte[] end = ranges.end(row);
    if (end == null || (stopRow.length > 0 && Arrays.compareUnsigned(stopRow, end) < 0)) {
      return stopRow.length > 0 ? stopRow : null;
    }
    return end;
  }

  private void advance() throws IOException {
    try {
      found = step();
    } catch (IOException | RuntimeException | AssertionError e) {
      throw failure(e, Arrays.copyOfRange(rowArray, rowOffset, rowOffset + rowLength));
    }
  }

  private boolean step() throws IOException {
    while (!cell.next()) {
      expectNext();
      if (!blocks.next()) {
        return false;
      }
      cell.block(blocks.array(), blocks.from(), blocks.to());
    }
    return true;
  }

  private IOException failure(Throwable cause, byte[] row) {
    stale = true;
    long offset = inIndex ? files.tracker().offset() : blocks.offset();
    inIndex = false;
    return BlockFailures.of(files, cause, file.reader().getPath().toString(), offset, row);
  }
}
