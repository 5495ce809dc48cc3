package io.tsdbsuite.hbase.read;

/** Takes the cells of a row, in column order. The arrays must not be changed or kept. */
public interface CellVisitor {

  /** Forgets the cells of this row that came so far: they come again, perhaps others. */
  void restart();

  /**
   * The next cell: the newest version of a column.
   *
   * @param timestamp HBase's, milliseconds since the epoch
   */
  void cell(
      byte[] qualifier,
      int qualifierOffset,
      int qualifierLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long timestamp);
}
