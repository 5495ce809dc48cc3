package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.job.spark.KeyOrder;
import io.tsdbsuite.message.write.RollupValues;
import java.util.Arrays;

/**
 * A shuffle record: the rollups of one data table row that belong to one row of a rollup table. Key
 * and value are byte arrays, so the serializer needs no class of this job.
 *
 * <pre>
 *   key    | table: 1 | row key in the rollup table | first offset: 2 |
 *   value  for each rollup, ascending
 *          | offset: 2 | sum: 8 | min: 8 | max: 8 | count: 8 | n: 1 | n times (id: 1 | value: 8) |
 *   value of a table of packed rows as of the plain one
 *   value of a table of histograms
 *          | offset: 2 | length: 4 | codec id: 1 | payload: length - 1 |
 *
 *   books of a task: table ff, its partition in 4 bytes, nothing else
 * </pre>
 *
 * <p>Numbers are big-endian, doubles as their bits. A count or length of 0 takes the rollup back.
 * The ids are those of further aggregators in rollup_config.json. An offset counts intervals since
 * the base time of the rollup row, of histograms seconds. Tables are numbered as the targets of the
 * run, 0..254.
 */
final class RollupRecord {
  /** Bytes of a rollup in the value, without further aggregators. */
  private static final int LEAST_SIZE = 35;

  /** Where the number of further aggregators is. */
  private static final int FURTHER = 34;

  /** Where the length of a histogram is. */
  private static final int LENGTH = 2;

  /** Where the cell's value of a histogram is. */
  static final int HISTOGRAM = LENGTH + Integer.BYTES;

  private static final int FURTHER_BYTES = 1 + Double.BYTES;

  /** Where the sum of a rollup is. */
  static final int SUM = 2;

  /** Where the minimum of a rollup is. */
  static final int MIN = 10;

  /** Where the maximum of a rollup is. */
  static final int MAX = 18;

  private static final int COUNT = 26;

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

  /** Bytes of a rollup with a number of further aggregators. */
  static int size(int further) {
    return LEAST_SIZE + further * FURTHER_BYTES;
  }

  /** Bytes of the rollup or histogram at a position of a value. */
  static int size(byte[] value, int at, boolean isHistogram) {
    return isHistogram ? HISTOGRAM + length(value, at) : size(value[at + FURTHER] & 0xff);
  }

  /** Bytes of the cell's value of a histogram; 0 takes it back. */
  static int length(byte[] value, int at) {
    return (int) Values.rawBits(value, at + LENGTH, Integer.BYTES);
  }

  /** Writes one histogram, whose {@link #HISTOGRAM} bytes and value have room. */
  static void put(byte[] to, int at, int offset, int codecId, byte[] payload) {
    putShort(to, at, offset);
    putLength(to, at, 1 + payload.length);
    to[at + HISTOGRAM] = (byte) codecId;
    System.arraycopy(payload, 0, to, at + HISTOGRAM + 1, payload.length);
  }

  /** Writes that a histogram is taken back. */
  static void takeBack(byte[] to, int at, int offset) {
    putShort(to, at, offset);
    putLength(to, at, 0);
  }

  private static void putLength(byte[] to, int at, int length) {
    putShort(to, at + LENGTH, length >>> Short.SIZE);
    putShort(to, at + LENGTH + Short.BYTES, length);
  }

  /**
   * Writes one rollup; returns the position of the next one.
   *
   * @param ids of the further aggregators
   */
  static int put(byte[] to, int at, int offset, RollupValues values, byte[] ids) {
    putShort(to, at, offset);
    putDouble(to, at + SUM, values.sum());
    putDouble(to, at + MIN, values.min());
    putDouble(to, at + MAX, values.max());
    putLong(to, at + COUNT, values.count());
    to[at + FURTHER] = (byte) ids.length;
    int next = at + LEAST_SIZE;
    for (int i = 0; i < ids.length; i++) {
      to[next] = ids[i];
      putDouble(to, next + 1, values.further(i));
      next += FURTHER_BYTES;
    }
    return next;
  }

  static int offset(byte[] value, int at) {
    return (value[at] & 0xff) << 8 | (value[at + 1] & 0xff);
  }

  static long count(byte[] value, int at) {
    return Values.rawBits(value, at + COUNT, Long.BYTES);
  }

  /**
   * Position of the double of an aggregator; -1 if the rollup has none.
   *
   * @param id in rollup_config.json, of a further aggregator
   */
  static int find(byte[] value, int at, int id) {
    int end = at + size(value, at, false);
    for (int next = at + LEAST_SIZE; next < end; next += FURTHER_BYTES) {
      if (value[next] == id) {
        return next + 1;
      }
    }
    return -1;
  }

  /** The double at a position. */
  static double number(byte[] value, int position) {
    return Double.longBitsToDouble(Values.rawBits(value, position, Long.BYTES));
  }

  private static void putDouble(byte[] to, int at, double value) {
    putLong(to, at, Double.doubleToRawLongBits(value));
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
