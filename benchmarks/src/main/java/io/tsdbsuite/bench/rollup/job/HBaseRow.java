package io.tsdbsuite.bench.rollup.job;

import io.tsdbsuite.bench.FirstWay;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/** The cells of a row as HBase delivers them. */
public final class HBaseRow implements FirstWay.Cells {
  private final Cell[] cells;

  /** Takes the cells of a row. */
  public HBaseRow(Result row) {
    cells = row.rawCells();
  }

  @Override
  public int cells() {
    return cells.length;
  }

  @Override
  public byte[] cloneQualifier(int cell) {
    return CellUtil.cloneQualifier(cells[cell]);
  }

  @Override
  public byte[] cloneValue(int cell) {
    return CellUtil.cloneValue(cells[cell]);
  }

  @Override
  public long timestamp(int cell) {
    return cells[cell].getTimestamp();
  }
}
