package io.tsdbsuite.contract;

import java.util.HexFormat;

/**
 * One cell of a generated row. The arrays are not copied and must not be modified.
 *
 * @param qualifier column qualifier
 * @param value cell value
 * @param timestamp HBase timestamp of the cell, milliseconds since the epoch
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes of a cell; never compared.
public record GeneratedCell(byte[] qualifier, byte[] value, long timestamp) {
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(qualifier) + " = " + hex.formatHex(value) + " @" + timestamp;
  }
}
