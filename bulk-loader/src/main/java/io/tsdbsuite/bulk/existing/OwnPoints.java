package io.tsdbsuite.bulk.existing;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.format.row.AppendCell;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.SingleCell;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/**
 * The instants of a row that this load itself has written before it was stopped, told by the
 * timestamps of their cells.
 */
final class OwnPoints {
  private final BitSet offsets = new BitSet();
  private final PointBuffer points = new PointBuffer();

  /** Looks at the cells of a row; they were decoded before and are not corrupt. */
  void find(List<Cell> cells, List<EncodedRow> parts, CellTimestamps stamps, RowKey keys) {
    offsets.clear();
    for (Cell cell : cells) {
      if (isOwn(cell, parts, stamps, keys)) {
        points.clear();
        decode(cell);
        for (int i = 0; i < points.size(); i++) {
          offsets.set(points.offsetMillis(i));
        }
      }
    }
  }

  private static boolean isOwn(
      Cell cell, List<EncodedRow> parts, CellTimestamps stamps, RowKey keys) {
    for (EncodedRow part : parts) {
      if (cell.getTimestamp() == stamps.of(part, keys)) {
        return true;
      }
    }
    return false;
  }

  private void decode(Cell cell) {
    byte[] q = cell.getQualifierArray();
    int qOff = cell.getQualifierOffset();
    int qLen = cell.getQualifierLength();
    byte[] v = cell.getValueArray();
    int vOff = cell.getValueOffset();
    int vLen = cell.getValueLength();
    try {
      switch (ColumnKind.of(q, qOff, qLen)) {
        case COMPACTED -> CompactedCell.decode(q, qOff, qLen, v, vOff, vLen, points);
        case APPEND -> AppendCell.decode(q, qOff, qLen, v, vOff, vLen, points);
        default -> SingleCell.decode(q, qOff, qLen, v, vOff, vLen, points);
      }
    } catch (CorruptCellException e) {
      throw new IllegalStateException("the cell was decoded before", e);
    }
  }

  /** Whether the load wrote a point at this offset from the base time, milliseconds. */
  boolean has(int offsetMillis) {
    return offsets.get(offsetMillis);
  }
}
