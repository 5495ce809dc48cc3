package io.tsdbsuite.bulk.row;

/**
 * A row to write: one cell, compacted, or single if it has one point. Owns its arrays.
 *
 * @param key row key, salt included
 * @param qualifier column qualifier
 * @param value cell value, with its last byte if there is more than one point
 * @param points number of points, at least 1
 * @param newestMillis time of the last point, milliseconds since the epoch, UTC
 */
public record EncodedRow(
    byte[] key, byte[] qualifier, byte[] value, int points, long newestMillis) {
  /** Bytes of key, qualifier and value. */
  public int size() {
    return key.length + qualifier.length + value.length;
  }
}
