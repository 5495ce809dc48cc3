package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.format.row.RowKey;

/** Row keys of a series. */
final class RowKeys {
  private RowKeys() {}

  /** The key of a series at a base time, seconds since the epoch. */
  static byte[] at(byte[] template, RowKey rowKey, long baseTime) {
    byte[] key = template.clone();
    for (int i = 0; i < RowKey.TIME_WIDTH; i++) {
      key[rowKey.timeOffset() + i] = (byte) (baseTime >>> (8 * (RowKey.TIME_WIDTH - 1 - i)));
    }
    return key;
  }
}
