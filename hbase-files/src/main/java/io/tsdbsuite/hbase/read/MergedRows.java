package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.jspecify.annotations.Nullable;

/** The rows of any store files, from HBase's own merge. For one thread. */
final class MergedRows implements RowReader {
  private final RegionFiles files;
  private final RegionRows rows;
  private final byte[] stopRow;
  private final ReadRanges ranges;
  private final boolean sequential;
  private final List<Cell> cells = new ArrayList<>();
  private byte @Nullable [] expectFrom;
  private byte[] rowArray = {};
  private int rowOffset;
  private int rowLength;

  MergedRows(
      ReadSource source,
      RegionFiles files,
      byte[] startRow,
      byte[] stopRow,
      boolean sequential,
      ReadRanges ranges) {
    this.files = files;
    this.rows = new RegionRows(source, files, startRow, stopRow, sequential);
    this.stopRow = stopRow;
    this.ranges = ranges;
    this.sequential = sequential;
    this.expectFrom = startRow;
  }

  @Override
  public boolean peek() throws IOException {
    expect();
    Cell first = rows.peek();
    if (first == null) {
      return false;
    }
    rowArray = first.getRowArray();
    rowOffset = first.getRowOffset();
    rowLength = first.getRowLength();
    return true;
  }

  /** Announces the range to storage, unless whole files are streamed. */
  private void expect() throws IOException {
    if (expectFrom != null && !sequential) {
      byte[] row = expectFrom;
      expectFrom = null;
      files.expect(row, stopRow, ranges);
    }
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
    cells.clear();
    rows.next(cells);
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      visitor.cell(
          cell.getQualifierArray(),
          cell.getQualifierOffset(),
          cell.getQualifierLength(),
          cell.getValueArray(),
          cell.getValueOffset(),
          cell.getValueLength(),
          cell.getTimestamp());
    }
    return cells.size();
  }

  @Override
  public void seek(byte[] row) throws IOException {
    expectFrom = row;
    expect();
    rows.seek(row);
  }

  @Override
  public boolean resumeAfter(UnreadableBlockException failure) {
    expectFrom = failure.resumeRow();
    return rows.resumeAfter(failure);
  }

  @Override
  public void close() {
    rows.close();
  }
}
