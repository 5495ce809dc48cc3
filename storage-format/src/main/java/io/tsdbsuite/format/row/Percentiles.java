package io.tsdbsuite.format.row;

import java.util.Arrays;
import java.util.List;

/**
 * Percentiles as OpenTSDB's p50, p75, p90, p95, p99 and p999 estimate them: commons-math3's LEGACY,
 * linear between the two values around the position p / 100 (n + 1). Source: docs/storage.md 12.
 */
public final class Percentiles {
  private Percentiles() {}

  /** The percentage of an aggregator: 99.9 of {@code p999}. */
  public static double rank(String name) {
    switch (name) {
      case "p50":
        return 50;
      case "p75":
        return 75;
      case "p90":
        return 90;
      case "p95":
        return 95;
      case "p99":
        return 99;
      case "p999":
        return 99.9;
      default:
        throw new IllegalArgumentException(
            "must be one of p50 p75 p90 p95 p99 p999, found '" + name + "'");
    }
  }

  /**
   * The percentile of {@code sorted[from]} to {@code sorted[to - 1]}: ascending, without NaN, which
   * the TSD skips. Infinite if the distance of two neighbours is more than the greatest double.
   *
   * @param p greater than 0, less than 100
   * @return NaN of no values
   */
  public static double of(double[] sorted, int from, int to, double p) {
    int length = to - from;
    if (length == 0) {
      return Double.NaN;
    }
    double position = p / 100 * (length + 1);
    if (position < 1) {
      return sorted[from];
    }
    if (position >= length) {
      return sorted[to - 1];
    }
    int below = (int) position;
    double lower = sorted[from + below - 1];
    return lower + (position - below) * (sorted[from + below] - lower);
  }

  /**
   * The values of further aggregators of one bucket.
   *
   * @param names {@code first}, {@code last} and names of {@link #rank}
   * @param points from {@code from} to {@code to - 1}: at least one, in time order, without NaN;
   *     sorted afterwards
   * @param values receives one for each name from {@code at} on; may be infinite
   */
  public static void further(
      List<String> names, double[] points, int from, int to, double[] values, int at) {
    double first = points[from];
    double last = points[to - 1];
    Arrays.sort(points, from, to);
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      switch (name) {
        case "first":
          values[at + i] = first;
          break;
        case "last":
          values[at + i] = last;
          break;
        default:
          values[at + i] = of(points, from, to, rank(name));
      }
    }
  }
}
