package io.tsdbsuite.bulk.row;

import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.Values;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Points of one hour, packed one after the other: the form of points in memory and in runs.
 *
 * <pre>
 *   | qualifier      | value                  | qualifier | value | ...
 *     2 or 4 bytes     1, 2, 4 or 8 bytes
 * </pre>
 *
 * <p>Qualifiers and values are encoded as in the row (docs/storage.md 2.2 and 2.3). Integers have
 * their smallest width and floating point numbers 4 bytes if that is exact, so equal numbers of one
 * kind have equal bytes. Methods take an array and the index of a point's first byte; they read up
 * to {@link #PADDING} bytes beyond the last point.
 */
public final class PackedPoints {
  /** Length of the longest point, bytes. */
  public static final int MAX_LENGTH = 12;

  /** Bytes that an array must have after its last point. */
  public static final int PADDING = 16;

  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int LENGTH_MASK = 0x7;

  private PackedPoints() {}

  /** Length of a point, bytes. */
  public static int length(byte[] packed, int at) {
    if (Qualifier.isMillis(packed[at])) {
      return Qualifier.MILLIS_LENGTH + 1 + (packed[at + 3] & LENGTH_MASK);
    }
    return Qualifier.SECONDS_LENGTH + 1 + (packed[at + 1] & LENGTH_MASK);
  }

  /** Whether a point is in milliseconds, on 4 bytes of qualifier. */
  public static boolean isMillis(byte[] packed, int at) {
    return Qualifier.isMillis(packed[at]);
  }

  /** Time of a point from the base time, milliseconds. */
  public static int offsetMillis(byte[] packed, int at) {
    return Qualifier.offsetMillis(packed, at);
  }

  /**
   * Writes a point, and up to 8 undefined bytes after it; returns the index after the point.
   *
   * @param qualifier its bytes as a number
   * @param qualifierLength 2 or 4 bytes
   * @param value its bytes at the high end
   * @param valueLength 1, 2, 4 or 8 bytes
   */
  public static int write(
      byte[] packed, int at, int qualifier, int qualifierLength, long value, int valueLength) {
    if (qualifierLength == Qualifier.SECONDS_LENGTH) {
      SHORT.set(packed, at, (short) qualifier);
    } else {
      INT.set(packed, at, qualifier);
    }
    LONG.set(packed, at + qualifierLength, value);
    return at + qualifierLength + valueLength;
  }

  /**
   * Copies a point, and undefined bytes up to {@link #MAX_LENGTH}; returns the index after the
   * copy.
   */
  public static int copy(byte[] from, int at, byte[] to, int toAt) {
    LONG.set(to, toAt, (long) LONG.get(from, at));
    INT.set(to, toAt + 8, (int) INT.get(from, at + 8));
    return toAt + length(from, at);
  }

  /** Whether two points have the same kind, integer or floating, and the same number. */
  public static boolean sameValue(byte[] a, int aAt, byte[] b, int bAt) {
    return Qualifier.flags(a, aAt) == Qualifier.flags(b, bAt) && value(a, aAt) == value(b, bAt);
  }

  /** Compares the numbers of two points exactly; -0.0 is less than 0.0 and 0; 1 equals 1.0. */
  public static int compareValues(byte[] a, int aAt, byte[] b, int bAt) {
    boolean aFloats = Qualifier.isFloat(a, aAt);
    boolean bFloats = Qualifier.isFloat(b, bAt);
    if (aFloats && bFloats) {
      return Double.compare(floating(a, aAt), floating(b, bAt));
    }
    if (aFloats) {
      return -compare(integer(b, bAt), floating(a, aAt));
    }
    long integer = integer(a, aAt);
    return bFloats ? compare(integer, floating(b, bAt)) : Long.compare(integer, integer(b, bAt));
  }

  /** The number of a point in text, as an import line has it. */
  public static String valueText(byte[] packed, int at) {
    return Qualifier.isFloat(packed, at)
        ? Double.toString(floating(packed, at))
        : Long.toString(integer(packed, at));
  }

  private static int compare(long integer, double floating) {
    int order = Double.compare((double) integer, floating);
    if (order != 0) {
      return order;
    }
    // Equal after rounding to 53 bits; 2^63 is the one double here that no long can hold.
    return floating == 0x1p63 ? -1 : Long.compare(integer, (long) floating);
  }

  private static long integer(byte[] packed, int at) {
    return Values.toLong(Qualifier.valueLength(packed, at), value(packed, at));
  }

  private static double floating(byte[] packed, int at) {
    return Values.toDouble(true, Qualifier.valueLength(packed, at), value(packed, at));
  }

  private static long value(byte[] packed, int at) {
    int start = at + (Qualifier.isMillis(packed[at]) ? 4 : 2);
    return (long) LONG.get(packed, start) >>> (64 - 8 * Qualifier.valueLength(packed, at));
  }
}
