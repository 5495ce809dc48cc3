package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.SnapshotRows;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a range of a snapshot that have one of some columns, with the newest version of each
 * of these columns. For one thread.
 */
final class ColumnRows implements CellVisitor, AutoCloseable {
  private final SnapshotRows rows;
  private final List<byte[]> qualifiers;

  private final byte[][] values;
  private final long[] timestamps;
  private boolean found;

  /**
   * Reads nothing yet.
   *
   * @param start first key, inclusive; empty for the start of the table
   * @param stop last key, exclusive; empty for the end of the table
   * @param qualifiers qualifiers of the columns; other columns are left out
   */
  ColumnRows(Snapshot snapshot, byte[] start, byte[] stop, List<byte[]> qualifiers) {
    rows = new SnapshotRows("snapshot '" + snapshot.name() + "'", snapshot, start, stop);
    this.qualifiers = qualifiers;
    this.values = new byte[qualifiers.size()][];
    this.timestamps = new long[qualifiers.size()];
  }

  @Override
  public void restart() {
    Arrays.fill(values, null);
    found = false;
  }

  @Override
  public void cell(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
    for (int i = 0; i < values.length; i++) {
      byte[] qualifier = qualifiers.get(i);
      if (Arrays.equals(q, qOff, qOff + qLen, qualifier, 0, qualifier.length)) {
        values[i] = Arrays.copyOfRange(v, vOff, vOff + vLen);
        timestamps[i] = timestamp;
        found = true;
      }
    }
  }

  /**
   * Reads the next row.
   *
   * @return false when no row is left
   * @throws JobException bad input, when a file is missing, truncated or corrupt; outside, when
   *     storage fails
   */
  boolean next() {
    try {
      while (rows.next(this)) {
        if (found) {
          return true;
        }
      }
      return false;
    } catch (StorageException e) {
      throw JobException.of(e);
    }
  }

  /** The row key. */
  byte[] key() {
    return rows.row();
  }

  /**
   * The value of a column of this row.
   *
   * @param column its index in the list of qualifiers
   * @return null if the row does not have the column
   */
  byte @Nullable [] value(int column) {
    return values[column];
  }

  /** The cell timestamp of a column that the row has, ms since the epoch. */
  long timestamp(int column) {
    return timestamps[column];
  }

  @Override
  public void close() {
    rows.close();
  }
}
