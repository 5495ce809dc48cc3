package io.tsdbsuite.bulk.generate;

import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.Values;

/** The six ways to store a value, as numbers from 0. */
final class Width {
  static final int BYTE = 0;
  static final int SHORT = 1;
  static final int INT = 2;
  static final int LONG = 3;
  static final int FLOAT = 4;
  static final int DOUBLE = 5;
  static final int COUNT = 6;

  /** Not the same for all points. */
  static final int VARIES = -1;

  private static final int[] LENGTHS = {1, 2, 4, 8, 4, 8};

  private Width() {}

  /** Bytes of a value. */
  static int length(int width) {
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
  static long bits(int width, long number, byte kind) {
    return switch (width) {
      case FLOAT -> Float.floatToRawIntBits((float) ValueGenerator.toDouble(number, kind));
      case DOUBLE -> Double.doubleToRawLongBits(ValueGenerator.toDouble(number, kind));
      default -> number;
    };
  }

  static int of(long number, byte kind) {
    return kind == ValueGenerator.INTEGER
        ? ofInteger(number)
        : ofDouble(ValueGenerator.toDouble(number, kind));
  }

  /** Adds a point of this width. */
  static void add(int width, int offsetMillis, boolean millis, long bits, PointBuffer into) {
    into.add(offsetMillis, millis, width >= FLOAT, length(width), bits);
  }
}
