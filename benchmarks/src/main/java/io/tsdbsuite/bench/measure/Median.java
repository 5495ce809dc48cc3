package io.tsdbsuite.bench.measure;

import java.util.Comparator;
import java.util.List;

/** The median of values: a single disturbed round does not change it much. */
public final class Median {
  private Median() {}

  /**
   * The middle value, or the mean of the two middle values.
   *
   * @param values at least one, in any order
   */
  public static double of(List<Double> values) {
    List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
