package io.tsdbsuite.hbase.read;

/** The ranges of rows that will be read, so that each range needs few requests to storage. */
@FunctionalInterface
public interface ReadRanges {
  /** Every row is read. */
  ReadRanges ALL = row -> null;

  /**
   * End of a range of wanted rows.
   *
   * @param row the row at which reading begins, or a prefix of it
   * @return the first row after it that is not wanted; null when there is none
   */
  byte[] end(byte[] row);
}
