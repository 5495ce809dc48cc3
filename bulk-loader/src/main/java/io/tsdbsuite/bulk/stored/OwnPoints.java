package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/**
 * The instants of a row that this load itself has written before it was stopped, recognised by
 * their cell timestamps.
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
        decode(cell, points);
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

  private static void decode(Cell cell, PointBuffer into) {
    try {
      Cells.decode(cell, into);
    } catch (CorruptCellException e) {
      throw new IllegalStateException("the cell was decoded before", e);
    }
  }

  /** Whether the load wrote a point at this offset from the base time, milliseconds. */
  boolean has(int offsetMillis) {
    return offsets.get(offsetMillis);
  }
}
