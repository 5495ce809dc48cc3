package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.packed.CorruptPartException;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * Counts the cells of a run in a table, by cell timestamp and rollup time. Uses raw scans, which
 * include cells hidden by newer versions, because a message may have been stored since. Runs over
 * the same snapshot share a timestamp, so cells of other windows are excluded by rollup time. Two
 * cells of one series and time have the same key in HBase and count once. A part of a packed row is
 * of the run if all its slots are.
 *
 * @param level of the table
 * @param from first time of a rollup of the run, seconds since the epoch
 * @param to last time, exclusive
 */
record CellCount(RowKey rowKey, Level level, long stamp, long from, long to) {
  private static final int ROWS_PER_CALL = 1000;

  /** Creates a counter for the cells of a run, which may include changed rows before its window. */
  static CellCount of(Manifest manifest, RowKey rowKey, Level level) {
    return new CellCount(
        rowKey,
        level,
        manifest.stamp(),
        manifest.hasChangedRows() ? 0 : manifest.from(),
        manifest.to());
  }

  /**
   * Counts the cells in the rows of a file. The count can exceed the cells of the file if another
   * run over the same snapshot had other metrics.
   *
   * @throws IOException when HBase fails
   */
  long count(Table table, WrittenFile file) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(file.firstRow(), true)
            .withStopRow(file.lastRow(), true)
            .addFamily(RowKey.family())
            .setTimestamp(stamp)
            .setRaw(true)
            .readAllVersions()
            .setCaching(ROWS_PER_CALL)
            .setCacheBlocks(false);
    if (!level.isPacked()) {
      scan.setFilter(new KeyOnlyFilter());
    }
    long cells = 0;
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        for (Cell cell : row.rawCells()) {
          cells += cell.getTimestamp() == stamp && isOfRun(cell) ? 1 : 0;
        }
      }
    }
    return cells;
  }

  private boolean isOfRun(Cell cell) {
    byte[] qualifier = cell.getQualifierArray();
    int at = cell.getQualifierOffset();
    int length = cell.getQualifierLength();
    if (cell.getRowLength() < rowKey.tagsOffset()) {
      return false;
    }
    if (level.isPacked()) {
      return isPartOfRun(cell);
    }
    if (!(level.isHistogram()
        ? HistogramColumn.is(qualifier, at, length)
        : RollupCell.is(qualifier, at, length))) {
      return false;
    }
    long base = rowKey.baseTime(cell.getRowArray(), cell.getRowOffset());
    long time =
        base
            + (level.isHistogram()
                ? HistogramColumn.offsetMillis(qualifier, at, length) / 1000
                : RollupCell.offset(qualifier, at) * level.interval().seconds());
    return isOfRun(time);
  }

  private boolean isOfRun(long time) {
    return time >= from && time < to;
  }

  private boolean isPartOfRun(Cell cell) {
    if (cell.getQualifierLength() == 0) {
      return false;
    }
    PackedRow row =
        new PackedRow(
            cell.getQualifierArray()[cell.getQualifierOffset()],
            level.interval().intervalsPerRow());
    try {
      PackedLook.add(cell, CellUtil.cloneRow(cell), row);
    } catch (CorruptPartException e) {
      return false;
    }
    long base = rowKey.baseTime(cell.getRowArray(), cell.getRowOffset());
    long width = level.interval().seconds();
    for (int slot = 0; slot < level.interval().intervalsPerRow(); slot++) {
      if (row.asOf(slot) >= 0 && !isOfRun(base + slot * width)) {
        return false;
      }
    }
    return true;
  }
}
