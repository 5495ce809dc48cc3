package io.tsdbsuite.format.rollup;

import io.tsdbsuite.format.row.Values;

/**
 * A column of a rollup table: one aggregate of one interval.
 *
 * <pre>
 *   qualifier   | aggregator id | oooooooo ooooFLLL |      1 + 2 bytes
 *   value       8 bytes
 *
 *   id   0..127, from the rollup configuration
 *   o    intervals since the base time of the row, 0..3839
 *   F L  as in a raw qualifier
 * </pre>
 *
 * <p>A TSD writes each value with the smallest width that holds it. The same instant written again
 * with another width becomes a second column, which is a duplicate. The suite therefore writes one
 * fixed width per aggregator: a double on 8 bytes, a count as an integer on 8 bytes. It reads any
 * legal width. Source: docs/storage.md 6.3.
 */
public final class RollupCell {
  /** Length of the qualifier, bytes. */
  public static final int QUALIFIER_LENGTH = 3;

  /** Length of the values that the suite writes, bytes. */
  public static final int VALUE_LENGTH = 8;

  /**
   * Last offset of a row. The next offset has the top nibble f, which the TSD reads as
   * milliseconds.
   */
  public static final int MAX_OFFSET = 3839;

  private static final int MAX_ID = 127;
  private static final int INTEGER_8 = 0x7;
  private static final int DOUBLE_8 = 0xf;

  private RollupCell() {}

  /**
   * Intervals between the base time and an instant.
   *
   * @param baseTime as {@link RollupInterval#baseTime}, seconds since the epoch
   * @param epochSeconds not before the base time, seconds since the epoch
   * @throws IllegalArgumentException when the instant does not lie in the row
   */
  public static int offset(RollupInterval interval, long baseTime, long epochSeconds) {
    long offset = Math.floorDiv(epochSeconds - baseTime, interval.seconds());
    if (offset < 0 || offset >= interval.intervalsPerRow()) {
      throw new IllegalArgumentException(
          String.format(
              "time must lie in the row of %s, %s intervals of %s, found %s",
              baseTime, interval.intervalsPerRow(), interval.interval(), epochSeconds));
    }
    return (int) offset;
  }

  /** The qualifier of a sum, minimum, maximum or other value that is a double; see {@link #of}. */
  public static byte[] doubleQualifier(int aggregatorId, int offset) {
    return of(aggregatorId, offset, DOUBLE_8);
  }

  /** The qualifier of a count, an integer on 8 bytes; see {@link #of}. */
  public static byte[] countQualifier(int aggregatorId, int offset) {
    return of(aggregatorId, offset, INTEGER_8);
  }

  /**
   * A qualifier of any type and length.
   *
   * @param aggregatorId 0..127
   * @param offset intervals since the base time, 0..3839
   * @throws IllegalArgumentException when one of them or the value's length is illegal
   */
  public static byte[] of(int aggregatorId, int offset, boolean isFloat, int valueLength) {
    if (!Values.isLegal(isFloat, valueLength)) {
      throw new IllegalArgumentException("value length is illegal: " + valueLength);
    }
    return of(aggregatorId, offset, (isFloat ? 0x8 : 0) | (valueLength - 1));
  }

  private static byte[] of(int aggregatorId, int offset, int flags) {
    if (aggregatorId < 0 || aggregatorId > MAX_ID) {
      throw new IllegalArgumentException(
          "aggregator id must be 0 to " + MAX_ID + ", found " + aggregatorId);
    }
    if (offset < 0 || offset > MAX_OFFSET) {
      throw new IllegalArgumentException(
          "rollup offset must be 0 to " + MAX_OFFSET + ", found " + offset);
    }
    int bits = (offset << 4) | flags;
    return new byte[] {(byte) aggregatorId, (byte) (bits >>> 8), (byte) bits};
  }

  /** A double on 8 bytes. */
  public static byte[] doubleValue(double value) {
    return Values.encodeDouble(value);
  }

  /** A count, always on 8 bytes. */
  public static byte[] countValue(long count) {
    byte[] value = new byte[VALUE_LENGTH];
    for (int i = 0; i < VALUE_LENGTH; i++) {
      value[i] = (byte) (count >>> (56 - 8 * i));
    }
    return value;
  }

  /**
   * Whether these bytes are a rollup qualifier: 3 bytes, an id below 128, an offset that the TSD
   * can read, a legal type and length. Any other qualifier in a rollup table has an older format.
   */
  public static boolean is(byte[] q, int off, int len) {
    return len == QUALIFIER_LENGTH
        && q[off] >= 0
        && offset(q, off) <= MAX_OFFSET
        && Values.isLegal(isFloat(q, off), valueLength(q, off));
  }

  /** The aggregator id, 0..127. */
  public static int aggregatorId(byte[] q, int off) {
    return q[off] & 0x7f;
  }

  /** Intervals since the base time of the row. */
  public static int offset(byte[] q, int off) {
    return (q[off + 1] & 0xff) << 4 | (q[off + 2] & 0xff) >> 4;
  }

  /** Whether the value is a floating point number. */
  public static boolean isFloat(byte[] q, int off) {
    return (q[off + 2] & 0x8) != 0;
  }

  /** Length of the value, bytes; the cell must have exactly this length. */
  public static int valueLength(byte[] q, int off) {
    return (q[off + 2] & 0x7) + 1;
  }

  /**
   * The value of any type and width as a double.
   *
   * @throws IllegalArgumentException when the value does not have the qualifier's length or the
   *     length is illegal
   */
  public static double decode(byte[] q, int qOff, byte[] v, int vOff, int vLen) {
    boolean isFloat = isFloat(q, qOff);
    int length = valueLength(q, qOff);
    if (length != vLen || !Values.isLegal(isFloat, length)) {
      throw new IllegalArgumentException(
          String.format(
              "rollup value must have the legal length of its qualifier, %s bytes, found %s",
              length, vLen));
    }
    return Values.toDouble(isFloat, length, Values.rawBits(v, vOff, length));
  }
}
