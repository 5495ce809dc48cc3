package io.tsdbsuite.testkit;

import org.apache.hadoop.hbase.util.Bytes;

/**
 * One HBase cell, byte for byte.
 *
 * @param row the row key
 * @param family the column family
 * @param qualifier the qualifier
 * @param timestamp the cell timestamp, milliseconds since the epoch
 * @param value the value
 */
@SuppressWarnings("ArrayRecordComponent") // Equality is by content, see equals.
public record RawCell(byte[] row, String family, byte[] qualifier, long timestamp, byte[] value) {
  @Override
  public boolean equals(Object other) {
    return other instanceof RawCell cell
        && Bytes.equals(row, cell.row)
        && family.equals(cell.family)
        && Bytes.equals(qualifier, cell.qualifier)
        && timestamp == cell.timestamp
        && Bytes.equals(value, cell.value);
  }

  @Override
  public int hashCode() {
    return 31 * Bytes.hashCode(row) + Bytes.hashCode(qualifier);
  }

  @Override
  public String toString() {
    return "%s %s:%s @%s %s"
        .formatted(Bytes.toHex(row), family, Bytes.toHex(qualifier), timestamp, Bytes.toHex(value));
  }
}
