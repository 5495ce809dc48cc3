package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How long runs of one query took.
 *
 * @param millis each run, from request to parsed answer, milliseconds
 */
public record Timings(List<Double> millis) {
  /**
   * Copies the runs.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Timings {
    millis = List.copyOf(millis);
    if (millis.isEmpty()) {
      throw new IllegalArgumentException("timings must have a run, found none");
    }
  }

  /** The middle run, or the mean of the two middle ones. */
  public double median() {
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The fastest run. */
  public double min() {
    return Collections.min(millis);
  }

  /** The slowest run. */
  public double max() {
    return Collections.max(millis);
  }
}
