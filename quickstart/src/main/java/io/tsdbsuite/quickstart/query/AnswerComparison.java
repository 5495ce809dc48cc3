package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.quickstart.query.Answer.Point;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
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
    Set<String> all = new TreeSet<>(raw.series().keySet());
    all.addAll(rollup.series().keySet());
    for (String tags : all) {
      Queue<Point> expected = new ArrayDeque<>(raw.series().getOrDefault(tags, List.of()));
      Queue<Point> actual = new ArrayDeque<>(rollup.series().getOrDefault(tags, List.of()));
      while (!expected.isEmpty() || !actual.isEmpty()) {
        Point want = expected.peek();
        Point found = actual.peek();
        if (found == null || (want != null && want.time() < found.time())) {
          differences.add(tags + " lacks " + expected.remove());
        } else if (want == null || found.time() < want.time()) {
          differences.add(tags + " has an extra " + actual.remove());
        } else {
          double difference = relative(want.value(), found.value());
          largest = Math.max(largest, difference);
          boolean equal =
              exact ? Double.compare(want.value(), found.value()) == 0 : difference <= TOLERANCE;
          if (!equal) {
            differences.add(tags + " must have " + want + ", has " + found);
          }
          expected.remove();
          actual.remove();
        }
      }
    }
    return new AnswerComparison(raw.size(), largest, differences);
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
