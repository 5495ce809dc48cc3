package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.job.spark.KeyOrder;
import java.util.Arrays;

/**
 * A shuffle record: the rollups of one data table row that belong to one row of a rollup table. Key
 * and value are byte arrays, so the serializer needs no class of this job.
 *
 * <pre>
 *   key    | table: 1 | row key in the rollup table | first offset: 2 |
 *   value  n times | offset: 2 | sum: 8 | min: 8 | max: 8 | count: 8 |     ascending
 *
 *   books of a task: table ff, its partition in 4 bytes, nothing else
 * </pre>
 *
 * <p>Numbers are big-endian, doubles as their bits. A count of 0 takes the rollup back. An offset
 * counts intervals since the base time of the rollup row. Tables are numbered as the targets of the
 * run, 0..254.
 */
final class RollupRecord {
  /** Bytes of one rollup in the value. */
  static final int SIZE = 34;

  /** Bytes before the row key. */
  static final int ROW = 1;

  /** Bytes after the row key. */
  static final int TAIL = 2;

  /** By table, by row in HBase's order, then by offset. */
  static final KeyOrder ORDER = new KeyOrder(TAIL);

  private static final int BOOKS = 0xff;

  private RollupRecord() {}

  static byte[] key(int table, byte[] row, int rowLength, int firstOffset) {
    byte[] key = new byte[ROW + rowLength + TAIL];
    key[0] = (byte) table;
    System.arraycopy(row, 0, key, ROW, rowLength);
    putShort(key, ROW + rowLength, firstOffset);
    return key;
  }

  static byte[] booksKey(int partition) {
    return new byte[] {
      (byte) BOOKS,
      (byte) (partition >>> 24),
      (byte) (partition >>> 16),
      (byte) (partition >>> 8),
      (byte) partition
    };
  }

  static boolean isBooks(byte[] key) {
    return (key[0] & 0xff) == BOOKS;
  }

  static int table(byte[] key) {
    return key[0] & 0xff;
  }

  /** End offset of the row key. */
  static int rowEnd(byte[] key) {
    return key.length - TAIL;
  }

  static byte[] row(byte[] key) {
    return Arrays.copyOfRange(key, ROW, key.length - TAIL);
  }

  /** Whether two records belong to the same row of the same table. */
  static boolean sameRow(byte[] a, byte[] b) {
    return Arrays.equals(a, 0, a.length - TAIL, b, 0, b.length - TAIL);
  }

  /** Writes one rollup; returns the position of the next one. */
  static int put(byte[] to, int at, int offset, double sum, double min, double max, long count) {
    putShort(to, at, offset);
    putLong(to, at + 2, Double.doubleToRawLongBits(sum));
    putLong(to, at + 10, Double.doubleToRawLongBits(min));
    putLong(to, at + 18, Double.doubleToRawLongBits(max));
    putLong(to, at + 26, count);
    return at + SIZE;
  }

  static int offset(byte[] value, int at) {
    return (value[at] & 0xff) << 8 | (value[at + 1] & 0xff);
  }

  static double sum(byte[] value, int at) {
    return Double.longBitsToDouble(Values.rawBits(value, at + 2, Long.BYTES));
  }

  static double min(byte[] value, int at) {
    return Double.longBitsToDouble(Values.rawBits(value, at + 10, Long.BYTES));
  }

  static double max(byte[] value, int at) {
    return Double.longBitsToDouble(Values.rawBits(value, at + 18, Long.BYTES));
  }

  static long count(byte[] value, int at) {
    return Values.rawBits(value, at + 26, Long.BYTES);
  }

  private static void putShort(byte[] to, int at, int value) {
    to[at] = (byte) (value >>> 8);
    to[at + 1] = (byte) value;
  }

  private static void putLong(byte[] to, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      to[at + i] = (byte) (value >>> (56 - 8 * i));
    }
  }
}
