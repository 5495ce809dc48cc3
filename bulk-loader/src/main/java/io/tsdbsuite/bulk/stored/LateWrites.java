package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.PointBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of finished HFiles that other writers have changed since they were compared with the
 * table. Not thread-safe.
 *
 * <p>An HFile has only instants that the table did not have when it was made ({@link Reconciler}).
 * If the table has one of them now, in a cell that is not from this file, the row must be compared
 * again: loaded as it is, it would have two values for one instant.
 */
public final class LateWrites implements Closeable {
  private final StoredRowReader stored;
  private final PointBuffer points = new PointBuffer();
  private final BitSet instants = new BitSet();

  /**
   * @param table the data table; closed with this
   * @param sinceMillis timestamp of the oldest cell that can be such a write, since the epoch, UTC;
   *     0 if timestamps are not the times of the writes
   */
  public LateWrites(Table table, long sinceMillis) {
    this.stored = StoredRowReader.since(table, sinceMillis);
  }

  /**
   * Whether the table has a new cell in a range of rows. If not, no row of it must be compared
   * again.
   *
   * @param firstRow key of the first row
   * @param lastRow key of the last row, which is part of the range
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  public boolean hasAny(byte[] firstRow, byte[] lastRow) {
    return stored.hasAny(firstRow, lastRow);
  }

  /**
   * The first row that must be compared again.
   *
   * @param cells of HFiles, in HBase's order, rows whole
   * @return its key; null if there is none
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  public byte @Nullable [] first(List<Cell> cells) {
    List<List<Cell>> rows = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    for (Cell cell : cells) {
      if (keys.isEmpty() || !CellUtil.matchingRows(cell, keys.get(keys.size() - 1))) {
        keys.add(CellUtil.cloneRow(cell));
        rows.add(new ArrayList<>(1));
      }
      rows.get(rows.size() - 1).add(cell);
    }
    List<@Nullable StoredRow> found = stored.read(keys);
    for (int i = 0; i < keys.size(); i++) {
      StoredRow row = found.get(i);
      if (row != null && meets(rows.get(i), row.cells())) {
        return keys.get(i);
      }
    }
    return null;
  }

  /** Whether both have an instant, cells that both have aside. */
  private boolean meets(List<Cell> ours, List<Cell> theirs) {
    instants.clear();
    try {
      for (Cell cell : theirs) {
        if (!isOneOf(cell, ours)) {
          points.clear();
          Cells.decode(cell, points);
          for (int i = 0; i < points.size(); i++) {
            instants.set(points.offsetMillis(i));
          }
        }
      }
      if (instants.isEmpty()) {
        return false;
      }
      points.clear();
      for (Cell cell : ours) {
        Cells.decode(cell, points);
      }
    } catch (CorruptCellException e) {
      // The comparison reports it.
      return true;
    }
    for (int i = 0; i < points.size(); i++) {
      if (instants.get(points.offsetMillis(i))) {
        return true;
      }
    }
    return false;
  }

  /** An interrupted bulk load may have loaded the file already. */
  private static boolean isOneOf(Cell cell, List<Cell> ours) {
    for (Cell own : ours) {
      if (own.getTimestamp() == cell.getTimestamp()
          && CellUtil.matchingQualifier(own, cell)
          && CellUtil.matchingValue(own, cell)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
