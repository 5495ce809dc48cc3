package io.tsdbsuite.contract;

import java.util.HexFormat;

/**
 * One cell of a generated row. The arrays are not copied; nobody changes them.
 *
 * @param qualifier column qualifier
 * @param value cell value
 * @param timestamp HBase timestamp of the cell, milliseconds since the epoch
 */
@SuppressWarnings("ArrayRecordComponent") // Raw bytes are what this is about; never compared.
public record GeneratedCell(byte[] qualifier, byte[] value, long timestamp) {
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(qualifier) + " = " + hex.formatHex(value) + " @" + timestamp;
  }
}
