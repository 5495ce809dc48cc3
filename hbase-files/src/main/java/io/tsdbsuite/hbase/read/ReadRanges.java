package io.tsdbsuite.hbase.read;

/** Says how far rows will be read once reading begins somewhere, so that storage is asked once. */
@FunctionalInterface
public interface ReadRanges {
  /** Every row is read. */
  ReadRanges ALL = row -> null;

  /**
   * Where the range of wanted rows ends.
   *
   * @param row where reading begins, perhaps only the first bytes of a row
   * @return the first row after it that is not wanted; null when there is none
   */
  byte[] end(byte[] row);
}
