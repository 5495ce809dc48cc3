package io.tsdbsuite.hbase.read;

/**
 * Receives the cells of a row, in column order. An implementation must not change or keep the
 * arrays.
 */
public interface CellVisitor {
  /** Passes over the cells of rows that are only counted or skipped. */
  CellVisitor PASS_OVER =
      new CellVisitor() {
        @Override
        public void restart() {}

        @Override
        public void cell(
            byte[] qualifier,
            int qualifierOffset,
            int qualifierLength,
            byte[] value,
            int valueOffset,
            int valueLength,
            long timestamp) {}
      };

  /** Discards the cells of this row: the row is read again, perhaps with other cells. */
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
