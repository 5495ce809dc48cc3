package io.tsdbsuite.stream.series;

/**
 * The column of HBase that holds a point, as flags: type, width and resolution. Two points of one
 * instant with the same flags are one column; the later one replaces the other.
 */
public final class PointColumn {
  /** Type and width of the value. */
  static final int VALUE = SeriesEntry.COLUMN & ~SeriesEntry.MILLIS;

  private PointColumn() {}

  /**
   * Flags of a point.
   *
   * @param millis whether the timestamp has milliseconds
   * @param isFloat whether the value is a floating point number
   * @param length width of the stored value: 1, 2, 4 or 8 bytes
   */
  public static int flags(boolean millis, boolean isFloat, int length) {
    return (millis ? SeriesEntry.MILLIS : 0)
        | (isFloat ? SeriesEntry.FLOAT : 0)
        | (Integer.numberOfTrailingZeros(length) << SeriesEntry.LENGTH_SHIFT);
  }

  static boolean isFloat(int flags) {
    return (flags & SeriesEntry.FLOAT) != 0;
  }

  static int length(int flags) {
    return 1 << ((flags >>> SeriesEntry.LENGTH_SHIFT) & 3);
  }
}
