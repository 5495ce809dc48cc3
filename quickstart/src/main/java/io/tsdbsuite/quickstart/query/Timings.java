package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The times of the runs of one query.
 *
 * @param millis time of each run, from request to parsed answer, milliseconds
 */
public record Timings(List<Double> millis) {
  /**
   * Copies the runs.
   *
   * @throws IllegalArgumentException when there is no run
   */
  public Timings {
    millis = List.copyOf(millis);
    if (millis.isEmpty()) {
      throw new IllegalArgumentException("timings must have at least one run, found none");
    }
  }

  /** Milliseconds as tables show them. */
  static String text(double millis) {
    return String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%,.0f", millis);
  }

  /** The median, milliseconds. */
  public double median() {
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
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
