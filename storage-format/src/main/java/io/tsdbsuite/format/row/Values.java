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

  /** The bit that only the legal length of 8 bytes has set. */
  private static final int EIGHT_BYTES = 0x4;

  /** The flags of a float of 4 bytes. */
  private static final int FLOAT_OF_4 = 0xb;

  private Values() {}

  /** Whether a value of this type may have this length. */
  public static boolean isLegal(boolean isFloat, int length) {
    return length >= 1 && length <= 8 && isLegal(Qualifier.flags(isFloat, length));
  }

  static boolean isLegal(int flags) {
    return (LEGAL >>> flags & 1) != 0;
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
        return (v[off] & 0xffL) << 8 | (v[off + 1] & 0xff);
      case 4:
        return readInt(v, off) & 0xffffffffL;
      case 8:
        return readLong(v, off);
      default:
        return Uids.read(v, off, length);
    }
  }

  /**
   * Reads adjacent values: their raw bits, and their {@link #toDouble}.
   *
   * @param v contains all values
   * @param flags legal flags of the points
   * @param any the four flags of all these points, or-ed
   * @param all the four flags of all these points, and-ed
   * @param bits receives the raw bits of points {@code from} to {@code to - 1}
   * @param doubles receives the values of the same points
   */
  static void readAll(
      byte[] v,
      int off,
      byte[] flags,
      int any,
      int all,
      long[] bits,
      double[] doubles,
      int from,
      int to) {
    if (any == all && any == FLOAT_OF_4) {
      readFloats(v, off, bits, doubles, from, to);
    } else if ((any & (Qualifier.FLOAT | EIGHT_BYTES)) == 0) {
      readIntegers(v, off, flags, bits, doubles, from, to);
    } else {
      readMixed(v, off, flags, any, bits, doubles, from, to);
    }
  }

  private static void readFloats(
      byte[] v, int off, long[] bits, double[] doubles, int from, int to) {
    int at = off;
    for (int i = from; i < to; i++) {
      int raw = readInt(v, at);
      bits[i] = raw & 0xffffffffL;
      doubles[i] = Float.intBitsToFloat(raw);
      at += Float.BYTES;
    }
  }

  /** Reads values of up to 4 bytes. */
  private static void readIntegers(
      byte[] v, int off, byte[] flags, long[] bits, double[] doubles, int from, int to) {
    // Each read takes the longest width: a branch on widths that change from point to point would
    // be mispredicted. Only the end of the array needs a check.
    int last = v.length - Integer.BYTES;
    int at = off;
    int i = from;
    for (; i < to && at <= last; i++) {
      int less = flags[i] & Qualifier.LENGTH_MASK;
      int wide = readInt(v, at);
      int unused = 24 - (less << 3);
      bits[i] = (wide >>> unused) & 0xffffffffL;
      doubles[i] = wide >> unused;
      at += less + 1;
    }
    for (; i < to; i++) {
      int length = (flags[i] & Qualifier.LENGTH_MASK) + 1;
      bits[i] = rawBits(v, at, length);
      doubles[i] = (double) toLong(length, bits[i]);
      at += length;
    }
  }

  private static void readMixed(
      byte[] v, int off, byte[] flags, int any, long[] bits, double[] doubles, int from, int to) {
    int at = off;
    int i = from;
    if ((any & EIGHT_BYTES) == 0) {
      for (int last = v.length - Integer.BYTES; i < to && at <= last; i++) {
        int f = flags[i];
        int less = f & Qualifier.LENGTH_MASK;
        int unused = 24 - (less << 3);
        int wide = readInt(v, at);
        int isFloat = -(f >> 3 & 1);
        bits[i] = (wide >>> unused) & 0xffffffffL;
        // The result of the other type is computed from zero, so it has no bit set.
        doubles[i] = either(wide >> unused & ~isFloat, wide & isFloat, 0);
        at += less + 1;
      }
    } else {
      for (int last = v.length - Long.BYTES; i < to && at <= last; i++) {
        int f = flags[i];
        long wide = readLong(v, at);
        bits[i] = wide >>> (56 - ((f & Qualifier.LENGTH_MASK) << 3));
        doubles[i] = wideToDouble(f, wide);
        at += (f & Qualifier.LENGTH_MASK) + 1;
      }
    }
    for (; i < to; i++) {
      int length = (flags[i] & Qualifier.LENGTH_MASK) + 1;
      bits[i] = rawBits(v, at, length);
      doubles[i] = toDouble((flags[i] & Qualifier.FLOAT) != 0, length, bits[i]);
      at += length;
    }
  }

  /** {@link #toDouble} of a value whose first byte is the highest byte of {@code wide}. */
  static double wideToDouble(int flags, long wide) {
    // Masks: all ones for a floating point number, and for a value of 8 bytes.
    long isFloat = -(long) (flags >> 3 & 1);
    long is8 = -(long) (flags >> 2 & 1);
    int unused = 56 - ((flags & Qualifier.LENGTH_MASK) << 3);
    return either(
        wide >> unused & ~isFloat, (int) (wide >>> 32 & isFloat & ~is8), wide & isFloat & is8);
  }

  /**
   * One of three numbers as a double; the other two are zero. Computing all three and selecting one
   * takes less time than a mispredicted branch. Zero also avoids denormal numbers, which processors
   * convert a hundred times slower.
   */
  private static double either(long integer, int floatBits, long doubleBits) {
    return Double.longBitsToDouble(
        Double.doubleToRawLongBits((double) integer)
            | Double.doubleToRawLongBits((double) Float.intBitsToFloat(floatBits))
            | doubleBits);
  }

  /**
   * Reads 8 bytes, the first of which are the value; bytes beyond the end of the array are zero.
   */
  static long readWide(byte[] v, int off, int length) {
    return off <= v.length - Long.BYTES
        ? readLong(v, off)
        : rawBits(v, off, length) << (64 - 8 * length);
  }

  private static long readLong(byte[] v, int off) {
    return (long) readInt(v, off) << 32 | (readInt(v, off + 4) & 0xffffffffL);
  }

  private static int readInt(byte[] v, int off) {
    return v[off] << 24
        | (v[off + 1] & 0xff) << 16
        | (v[off + 2] & 0xff) << 8
        | (v[off + 3] & 0xff);
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

  /**
   * {@link #toDouble} of points {@code from} to {@code to - 1}.
   *
   * @param flags legal flags of the points; bits beyond the four are ignored
   */
  static void toDoubles(byte[] flags, long[] bits, int from, int to, double[] doubles) {
    int any = 0;
    int all = Qualifier.FLAGS_MASK;
    for (int i = from; i < to; i++) {
      any |= flags[i];
      all &= flags[i];
    }
    // A branch is free if all points have the same flags. Otherwise it would be mispredicted for
    // every other point, which takes longer than computing all results and selecting one.
    if (((any ^ all) & Qualifier.FLAGS_MASK) == 0) {
      alikeToDoubles(
          (all & Qualifier.FLOAT) != 0, (all & Qualifier.LENGTH_MASK) + 1, bits, from, to, doubles);
    } else {
      mixedToDoubles(flags, bits, from, to, doubles);
    }
  }

  private static void alikeToDoubles(
      boolean isFloat, int length, long[] bits, int from, int to, double[] doubles) {
    if (!isFloat) {
      int unused = 64 - 8 * length;
      for (int i = from; i < to; i++) {
        doubles[i] = (double) (bits[i] << unused >> unused);
      }
    } else if (length == 4) {
      for (int i = from; i < to; i++) {
        doubles[i] = Float.intBitsToFloat((int) bits[i]);
      }
    } else {
      for (int i = from; i < to; i++) {
        doubles[i] = Double.longBitsToDouble(bits[i]);
      }
    }
  }

  private static void mixedToDoubles(
      byte[] flags, long[] bits, int from, int to, double[] doubles) {
    for (int i = from; i < to; i++) {
      int f = flags[i];
      doubles[i] = wideToDouble(f, bits[i] << (56 - ((f & Qualifier.LENGTH_MASK) << 3)));
    }
  }
}
