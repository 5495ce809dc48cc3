package io.tsdbsuite.quickstart.query;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The runs of one query over one source.
 *
 * @param answer its answer
 * @param millis time of each run, from request to parsed answer, milliseconds
 */
public record Runs(Answer answer, List<Double> millis) {
  /**
   * Copies the times.
   *
   * @throws IllegalArgumentException when there is no run
   */
  public Runs {
    millis = List.copyOf(millis);
    if (millis.isEmpty()) {
      throw new IllegalArgumentException("a query must have at least one run, found none");
    }
  }

  /** Milliseconds as tables show them. */
  public static String text(double millis) {
    return String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%,.0f", millis);
  }

  /** The median, milliseconds. */
  public double median() {
    List<Double> sorted = millis.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The fastest run, milliseconds. */
  public double min() {
    return Collections.min(millis);
  }

  /** The slowest run, milliseconds. */
  public double max() {
    return Collections.max(millis);
  }
}
