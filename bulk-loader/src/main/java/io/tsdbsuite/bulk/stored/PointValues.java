package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.format.row.PointBuffer;
import java.math.BigDecimal;

/** Compares the values of points as numbers, independent of their stored width. */
final class PointValues {
  private PointValues() {}

  /** Whether two values are of one kind, integer or floating, and the same number. */
  static boolean same(PointBuffer a, int i, PointBuffer b, int j) {
    if (a.isFloat(i) != b.isFloat(j)) {
      return false;
    }
    return a.isFloat(i)
        ? Double.compare(a.doubleValue(i), b.doubleValue(j)) == 0
        : a.longValue(i) == b.longValue(j);
  }

  /** Their order as numbers, exact also between integers and floating point numbers. */
  static int compare(PointBuffer a, int i, PointBuffer b, int j) {
    if (!a.isFloat(i) && !b.isFloat(j)) {
      return Long.compare(a.longValue(i), b.longValue(j));
    }
    double x = a.doubleValue(i);
    double y = b.doubleValue(j);
    if (a.isFloat(i) == b.isFloat(j) || !Double.isFinite(x) || !Double.isFinite(y)) {
      return Double.compare(x, y);
    }
    return exact(a, i).compareTo(exact(b, j));
  }

  private static BigDecimal exact(PointBuffer points, int i) {
    return points.isFloat(i)
        ? new BigDecimal(points.doubleValue(i))
        : BigDecimal.valueOf(points.longValue(i));
  }

  /** A value for messages. */
  static String show(PointBuffer points, int i) {
    return points.isFloat(i)
        ? points.doubleValue(i) + " (floating point)"
        : points.longValue(i) + " (integer)";
  }
}
