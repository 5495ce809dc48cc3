package io.tsdbsuite.format.row;

/**
 * The value of one point.
 *
 * <pre>
 *   flags 0   1 byte    integer        flags b   4 bytes   IEEE float
 *   flags 1   2 bytes   integer        flags f   8 bytes   IEEE double
 *   flags 3   4 bytes   integer
 *   flags 7   8 bytes   integer        integers are two's complement
 * </pre>
 *
 * <p>Big-endian; no other width is legal. <em>Raw bits</em> are these bytes as an unsigned number.
 * Source: docs/storage.md 2.3.
 */
public final class Values {
  /** Bit n is set if flags n are legal. */
  private static final int LEGAL = 1 << 0x0 | 1 << 0x1 | 1 << 0x3 | 1 << 0x7 | 1 << 0xb | 1 << 0xf;

  /** Length by (significant bits / 8), four bits per entry, from the low end. */
  private static final int INTEGER_LENGTHS = 0x88884421;

  private Values() {}

  /** Whether a value of this type may have this length. */
  public static boolean isLegal(boolean isFloat, int length) {
    return length >= 1 && length <= 8 && isLegal(Qualifier.flags(isFloat, length));
  }

  static boolean isLegal(int flags) {
    return (LEGAL >>> flags & 1) != 0;
  }

  /** A negative number if flags, 0..15, are illegal. */
  static int negativeIfIllegal(int flags) {
    return ~LEGAL << (Integer.SIZE - 1 - flags);
  }

  static CellProblem widthProblem(boolean isFloat) {
    return isFloat ? CellProblem.FLOAT_WIDTH : CellProblem.INTEGER_WIDTH;
  }

  static void requireLegal(boolean isFloat, int length) {
    if (!isLegal(isFloat, length)) {
      throw new IllegalArgumentException(widthProblem(isFloat).rule() + ", found " + length);
    }
  }

  /** The smallest width that holds the integer: 1, 2, 4 or 8 bytes. */
  public static int integerLength(long value) {
    // Branch-free, because the widths of real values are hard to predict.
    int bits = 64 - Long.numberOfLeadingZeros(value ^ (value >> 63));
    return (INTEGER_LENGTHS >>> (bits >>> 3 << 2)) & 0xf;
  }

  /** An integer on its smallest width. */
  public static byte[] encodeInteger(long value) {
    return encode(value, integerLength(value));
  }

  /** A float on 4 bytes, NaN bits kept. */
  public static byte[] encodeFloat(float value) {
    return encode(Float.floatToRawIntBits(value), 4);
  }

  /** A double on 8 bytes, NaN bits kept. */
  public static byte[] encodeDouble(double value) {
    return encode(Double.doubleToRawLongBits(value), 8);
  }

  private static byte[] encode(long bits, int length) {
    byte[] bytes = new byte[length];
    write(bits, length, bytes, 0);
    return bytes;
  }

  /** The raw bits of a value of 1..8 bytes. */
  public static long rawBits(byte[] v, int off, int length) {
    switch (length) {
      case 1:
        return v[off] & 0xffL;
      case 2:
        return BigEndian.readChar(v, off);
      case 4:
        return BigEndian.readInt(v, off) & 0xffffffffL;
      case 8:
        return BigEndian.readLong(v, off);
      default:
        return Uids.read(v, off, length);
    }
  }

  /**
   * Reads a value: its raw bits, and its {@link #toDouble}. Without a branch for values of up to 4
   * bytes: their types, which may change from point to point, would be mispredicted.
   *
   * @param flags the four legal flags of the point
   * @param point index of the point in both arrays
   */
  static void read(byte[] v, int off, int flags, long[] bits, double[] doubles, int point) {
    int length = (flags & Qualifier.LENGTH_MASK) + 1;
    if (length == Long.BYTES || off <= v.length - Integer.BYTES) {
      readWithin(v, off, flags, bits, doubles, point);
    } else {
      int unused = Integer.SIZE - 8 * length;
      set((int) rawBits(v, off, length) << unused, unused, flags, bits, doubles, point);
    }
  }

  /** Like {@link #read}, of an array with at least 4 bytes from {@code off} on. */
  static void readWithin(byte[] v, int off, int flags, long[] bits, double[] doubles, int point) {
    if ((flags & Qualifier.LENGTH_MASK) == Qualifier.LENGTH_MASK) {
      long isFloat = -(long) (flags >> 3);
      long raw = BigEndian.readLong(v, off);
      bits[point] = raw;
      doubles[point] =
          Double.longBitsToDouble(
              Double.doubleToRawLongBits((double) (raw & ~isFloat)) | (raw & isFloat));
      return;
    }
    int unused = Integer.SIZE - 8 - 8 * (flags & Qualifier.LENGTH_MASK);
    set(BigEndian.readInt(v, off), unused, flags, bits, doubles, point);
  }

  /**
   * Sets a value of up to 4 bytes.
   *
   * @param wide begins with its bytes
   * @param unused the number of bits behind them
   */
  private static void set(
      int wide, int unused, int flags, long[] bits, double[] doubles, int point) {
    int isFloat = -(flags >> 3);
    bits[point] = (wide >>> unused) & 0xffffffffL;
    // One of the two is zero. Subtracting zero, unlike adding it, keeps the sign of -0.0; zero also
    // avoids denormal numbers, which processors convert a hundred times slower.
    doubles[point] =
        (double) Float.intBitsToFloat(wide & isFloat)
            - (double) -(long) (wide >> unused & ~isFloat);
  }

  /** Writes the low {@code length} bytes and returns the offset after them. */
  static int write(long bits, int length, byte[] out, int off) {
    for (int i = 0; i < length; i++) {
      out[off + i] = (byte) (bits >>> (8 * (length - 1 - i)));
    }
    return off + length;
  }

  /** The integer of these raw bits. */
  public static long toLong(int length, long rawBits) {
    int unused = 64 - 8 * length;
    return rawBits << unused >> unused;
  }

  /** The value of these raw bits as a double; integers beyond 2^53 are rounded, as in the TSD. */
  public static double toDouble(boolean isFloat, int length, long rawBits) {
    if (!isFloat) {
      return (double) toLong(length, rawBits);
    }
    return length == 4 ? Float.intBitsToFloat((int) rawBits) : Double.longBitsToDouble(rawBits);
  }
}
