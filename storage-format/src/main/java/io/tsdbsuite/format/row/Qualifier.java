package io.tsdbsuite.format.row;

/**
 * The qualifier of one point: its offset from the base time of the row, its type, its width.
 *
 * <pre>
 *   seconds, 2 bytes         oooooooo ooooFLLL
 *   milliseconds, 4 bytes    1111oooo oooooooo oooooooo ooxxFLLL
 *
 *   o  offset: 12 bits, 0..3599 s, or 22 bits, 0..3599999 ms
 *   x  not used, zero
 *   F  1 = floating point, 0 = integer
 *   L  length of the value in bytes, less one
 * </pre>
 *
 * <p>Big-endian. {@code FLLL} together are called flags here. Source: docs/storage.md 2.2.
 */
public final class Qualifier {
  /** Length of a qualifier in seconds, bytes. */
  public static final int SECONDS_LENGTH = 2;

  /** Length of a qualifier in milliseconds, bytes. */
  public static final int MILLIS_LENGTH = 4;

  /** Last second offset of a row. */
  public static final int MAX_SECONDS = 3599;

  /** Last millisecond offset of a row. */
  public static final int MAX_MILLIS = 3599999;

  /** The flag of floating point values. */
  static final int FLOAT = 0x8;

  static final int LENGTH_MASK = 0x7;
  static final int FLAGS_MASK = 0xf;
  private static final int MILLIS_MARK = 0xf0;

  private Qualifier() {}

  /** Whether a qualifier that begins with this byte has 4 bytes and is in milliseconds. */
  public static boolean isMillis(byte first) {
    return (first & MILLIS_MARK) == MILLIS_MARK;
  }

  /** Offset of the point in milliseconds, for both resolutions; its range is not checked. */
  public static int offsetMillis(byte[] q, int off) {
    return isMillis(q[off]) ? millis(q, off) : seconds(q, off) * 1000;
  }

  /** Whether the value is a floating point number. */
  public static boolean isFloat(byte[] q, int off) {
    return (flags(q, off) & FLOAT) != 0;
  }

  /** Length of the value, 1..8 bytes; not every length is legal. */
  public static int valueLength(byte[] q, int off) {
    return (flags(q, off) & LENGTH_MASK) + 1;
  }

  /** The four bits of type and length. */
  public static int flags(byte[] q, int off) {
    return q[isMillis(q[off]) ? off + 3 : off + 1] & FLAGS_MASK;
  }

  /** The four bits of type and length of a value of 1..8 bytes. */
  public static int flags(boolean isFloat, int valueLength) {
    return (isFloat ? FLOAT : 0) | (valueLength - 1);
  }

  /** Offset of a 2-byte qualifier, seconds. */
  static int seconds(byte[] q, int off) {
    return BigEndian.readChar(q, off) >> 4;
  }

  /** Offset of a 4-byte qualifier, milliseconds. */
  static int millis(byte[] q, int off) {
    return (BigEndian.readInt(q, off) & 0x0fffffff) >> 6;
  }

  /**
   * A qualifier of 2 bytes.
   *
   * @param offsetSeconds 0..3599
   * @throws IllegalArgumentException when the offset or the length of the value is illegal
   */
  public static byte[] ofSeconds(int offsetSeconds, boolean isFloat, int valueLength) {
    if (offsetSeconds < 0 || offsetSeconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          CellProblem.SECONDS_OUT_OF_ROW.rule() + ", found " + offsetSeconds);
    }
    Values.requireLegal(isFloat, valueLength);
    byte[] q = new byte[SECONDS_LENGTH];
    write(offsetSeconds * 1000, false, flags(isFloat, valueLength), q, 0);
    return q;
  }

  /**
   * A qualifier of 4 bytes.
   *
   * @param offsetMillis 0..3599999
   * @throws IllegalArgumentException when the offset or the length of the value is illegal
   */
  public static byte[] ofMillis(int offsetMillis, boolean isFloat, int valueLength) {
    if (offsetMillis < 0 || offsetMillis > MAX_MILLIS) {
      throw new IllegalArgumentException(
          CellProblem.MILLIS_OUT_OF_ROW.rule() + ", found " + offsetMillis);
    }
    Values.requireLegal(isFloat, valueLength);
    byte[] q = new byte[MILLIS_LENGTH];
    write(offsetMillis, true, flags(isFloat, valueLength), q, 0);
    return q;
  }

  /**
   * The 2 bytes of a qualifier as a big-endian number; nothing is checked.
   *
   * @param flags the four bits of type and length
   */
  public static int secondsBits(int offsetSeconds, int flags) {
    return (offsetSeconds << 4) | flags;
  }

  /**
   * The 4 bytes of a qualifier as a big-endian number; nothing is checked.
   *
   * @param flags the four bits of type and length
   */
  public static int millisBits(int offsetMillis, int flags) {
    return 0xf0000000 | (offsetMillis << 6) | flags;
  }

  /** Writes a qualifier and returns the offset after it. */
  static int write(int offsetMillis, boolean millis, int flags, byte[] out, int off) {
    if (millis) {
      int bits = millisBits(offsetMillis, flags);
      out[off] = (byte) (bits >>> 24);
      out[off + 1] = (byte) (bits >>> 16);
      out[off + 2] = (byte) (bits >>> 8);
      out[off + 3] = (byte) bits;
      return off + MILLIS_LENGTH;
    }
    int bits = secondsBits(offsetMillis / 1000, flags);
    out[off] = (byte) (bits >>> 8);
    out[off + 1] = (byte) bits;
    return off + SECONDS_LENGTH;
  }
}
