package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.spark.KeyOrder;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keys of the records of the shuffle. Key and value of a record are byte arrays, so no object is
 * allocated per point and no class needs a serializer.
 *
 * <pre>
 *   key    | kind: 1 | row key, TSUID or nothing | unit: 4 | piece: 4 |
 *
 *   kind 0: a piece of an hour     row key    value: points as row.PackedPoints has them
 *   kind 1: a series of a unit     TSUID      value: | points: 8 | newest, ms since the epoch: 8 |
 *   kind 2: the books of a unit    nothing    value: UnitResult
 * </pre>
 *
 * <p>Numbers are big-endian. The unit is its number in the input; pieces are numbered in the row of
 * a unit, from 0.
 */
final class ShuffleKey {
  static final byte ROW = 0;
  static final byte SERIES = 1;
  static final byte BOOKS = 2;

  private static final int KIND = 1;
  private static final int TAIL = 8;

  /** Orders records by kind, inner key, unit and piece. */
  static final KeyOrder ORDER = new KeyOrder(TAIL);

  private ShuffleKey() {}

  /** The key of a record. */
  static byte[] of(byte kind, byte[] inner, int innerLength, int unit, int piece) {
    byte[] key = new byte[KIND + innerLength + TAIL];
    key[0] = kind;
    System.arraycopy(inner, 0, key, KIND, innerLength);
    ByteBuffer.wrap(key, KIND + innerLength, TAIL).putInt(unit).putInt(piece);
    return key;
  }

  static byte kind(byte[] key) {
    return key[0];
  }

  /** Length of the row key or TSUID, which begins at {@link #innerOffset()}. */
  static int innerLength(byte[] key) {
    return key.length - KIND - TAIL;
  }

  static int innerOffset() {
    return KIND;
  }

  /** A copy of the row key or TSUID. */
  static byte[] inner(byte[] key) {
    return Arrays.copyOfRange(key, KIND, key.length - TAIL);
  }

  static int unit(byte[] key) {
    return ByteBuffer.wrap(key).getInt(key.length - TAIL);
  }

  /** Whether two records are of one row, or of one series. */
  static boolean sameInner(byte[] a, byte[] b) {
    return Arrays.equals(a, 0, a.length - TAIL, b, 0, b.length - TAIL);
  }
}
