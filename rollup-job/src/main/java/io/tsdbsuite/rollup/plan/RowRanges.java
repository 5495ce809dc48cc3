package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/** Bounds of ranges of rows, and ranges of rows without salt as rows of one salt bucket. */
public final class RowRanges {
  private RowRanges() {}

  /** First row of a range in a bucket, inclusive. */
  static byte[] start(RowKey rowKey, int bucket, byte[] start) {
    return Bytes.add(rowKey.bucket(bucket), start);
  }

  /**
   * End of a range in a bucket, exclusive; empty for the end of the table.
   *
   * @param stop empty for the end of the bucket
   */
  static byte[] stop(RowKey rowKey, int bucket, byte[] stop) {
    return stop.length == 0 ? end(rowKey, bucket) : Bytes.add(rowKey.bucket(bucket), stop);
  }

  /** End of a bucket, exclusive; empty for the end of the table. */
  static byte[] end(RowKey rowKey, int bucket) {
    byte[] salt = rowKey.bucket(bucket);
    return increment(salt) ? salt : new byte[0];
  }

  /** Increments a number of any width; returns false on overflow. */
  static boolean increment(byte[] number) {
    for (int i = number.length - 1; i >= 0; i--) {
      if (++number[i] != 0) {
        return true;
      }
    }
    return false;
  }

  /** The later one of two first rows. */
  public static byte[] later(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** The earlier one of two ends, where empty is the end of the table. */
  public static byte[] earlier(byte[] a, byte[] b) {
    return b.length == 0 || (a.length > 0 && Arrays.compareUnsigned(a, b) <= 0) ? a : b;
  }
}
