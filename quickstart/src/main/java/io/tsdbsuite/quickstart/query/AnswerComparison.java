package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The comparison of two answers, point by point.
 *
 * @param points points of the first answer
 * @param maxRelativeDifference the largest difference of two values at one time, relative to the
 *     larger of them
 * @param differences the differences, one line each: series or times that only one answer has, or
 *     values beyond the tolerance; empty if the answers are equal
 */
public record AnswerComparison(
    long points, double maxRelativeDifference, List<String> differences) {
  /** Allowed relative difference of sums and averages. */
  public static final double TOLERANCE = 1e-9;

  /** Copies the differences. */
  public AnswerComparison {
    differences = List.copyOf(differences);
  }

  /**
   * Compares two answers.
   *
   * @param raw the reference answer
   * @param rollup the answer that must equal it; a time that comes twice is a difference
   * @param exact whether values must have the same bits; otherwise the tolerance is {@link
   *     #TOLERANCE}
   */
  public static AnswerComparison of(Answer raw, Answer rollup, boolean exact) {
    List<String> differences = new ArrayList<>();
    double largest = 0;
    TreeSet<String> all = new TreeSet<>(raw.series().keySet());
    all.addAll(rollup.series().keySet());
    for (String tags : all) {
      List<Point> expected = raw.series().getOrDefault(tags, List.of());
      List<Point> actual = rollup.series().getOrDefault(tags, List.of());
      largest = Math.max(largest, compare(tags, expected, actual, exact, differences));
    }
    return new AnswerComparison(raw.size(), largest, differences);
  }

  private static double compare(
      String tags,
      List<Point> expected,
      List<Point> actual,
      boolean exact,
      List<String> differences) {
    double largest = 0;
    int e = 0;
    int a = 0;
    while (e < expected.size() || a < actual.size()) {
      Point want = e < expected.size() ? expected.get(e) : null;
      Point found = a < actual.size() ? actual.get(a) : null;
      if (found == null || (want != null && want.time() < found.time())) {
        differences.add(tags + " lacks " + want);
        e++;
      } else if (want == null || found.time() < want.time()) {
        differences.add(tags + " has an extra " + found);
        a++;
      } else {
        double difference = relative(want.value(), found.value());
        largest = Math.max(largest, difference);
        boolean equal =
            exact ? Double.compare(want.value(), found.value()) == 0 : difference <= TOLERANCE;
        if (!equal) {
          differences.add(tags + " must have " + want + ", has " + found);
        }
        e++;
        a++;
      }
    }
    return largest;
  }

  /** Difference of two values, relative to the larger; infinite if only one is a number. */
  static double relative(double a, double b) {
    if (Double.compare(a, b) == 0 || a == b) {
      return 0;
    }
    double difference = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
    return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
  }
}
