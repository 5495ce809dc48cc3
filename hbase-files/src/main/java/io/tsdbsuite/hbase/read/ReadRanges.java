package io.tsdbsuite.hbase.read;

import org.jspecify.annotations.Nullable;

/**
 * Returns the end of the range of rows that a reader will read, so that one request to the storage
 * suffices.
 */
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
  byte @Nullable [] end(byte[] row);
}
