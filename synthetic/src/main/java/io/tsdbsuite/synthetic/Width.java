package io.tsdbsuite.synthetic;

import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.Values;

/** Types and widths of stored values, numbered from 0: integers of 1 to 8 bytes, float, double. */
public final class Width {
  /** Integer of 1 byte. */
  public static final int BYTE = 0;

  /** Integer of 2 bytes. */
  public static final int SHORT = 1;

  /** Integer of 4 bytes. */
  public static final int INT = 2;

  /** Integer of 8 bytes. */
  public static final int LONG = 3;

  /** Floating point of 4 bytes. */
  public static final int FLOAT = 4;

  /** Floating point of 8 bytes. */
  public static final int DOUBLE = 5;

  /** Number of widths. */
  public static final int COUNT = 6;

  /** Not the same for all points. */
  public static final int VARIES = -1;

  private static final int[] LENGTHS = {1, 2, 4, 8, 4, 8};

  private Width() {}

  /** Bytes of a value. */
  public static int length(int width) {
    return LENGTHS[width];
  }

  /** The smallest width of an integer. */
  static int ofInteger(long value) {
    return switch (Values.integerLength(value)) {
      case 1 -> BYTE;
      case 2 -> SHORT;
      case 4 -> INT;
      default -> LONG;
    };
  }

  /** Four bytes if nothing of the number is lost by it. */
  static int ofDouble(double value) {
    return (double) (float) value == value ? FLOAT : DOUBLE;
  }

  /** The bytes of a value as a number. */
  public static long bits(int width, long number, byte kind) {
    return switch (width) {
      case FLOAT -> Float.floatToRawIntBits((float) ValueGenerator.toDouble(number, kind));
      case DOUBLE -> Double.doubleToRawLongBits(ValueGenerator.toDouble(number, kind));
      default -> number;
    };
  }

  /** The width that a value is stored with. */
  public static int of(long number, byte kind) {
    return kind == ValueGenerator.INTEGER
        ? ofInteger(number)
        : ofDouble(ValueGenerator.toDouble(number, kind));
  }

  /** Adds a point of this width. */
  public static void add(int width, int offsetMillis, boolean millis, long bits, PointBuffer into) {
    into.add(offsetMillis, millis, width >= FLOAT, length(width), bits);
  }
}
