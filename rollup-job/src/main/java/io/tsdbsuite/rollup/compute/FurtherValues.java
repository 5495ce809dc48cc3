package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.report.Books;
import java.util.Arrays;
import java.util.List;

/**
 * The values of further aggregators ({@code p99}, {@code first}) of the rollups of one interval,
 * equal to the TSD's answers to {@code 1h-p99} and {@code 1h-first} over one bucket. For one
 * thread.
 */
final class FurtherValues {
  private final String interval;
  private List<String> names = List.of();

  /** Levels of the coverage, by name. */
  private List<String> levels = List.of();

  /** Values by bucket and name. */
  private double[] values = {};

  FurtherValues(String interval) {
    this.interval = interval;
  }

  /** Takes the aggregators of a metric. */
  void select(Selection selection) {
    List<String> selected = selection.aggregators(interval);
    // All metrics of an entry share one list, so this mostly compares references.
    if (!selected.equals(names)) {
      names = selected;
      levels = names.stream().map(name -> Level.text(interval, name)).toList();
    }
  }

  /** Whether the metric has none. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /** Their names in the order of {@code suite}. */
  List<String> names() {
    return names;
  }

  /**
   * Computes the values of a bucket.
   *
   * @param points from {@code from} to {@code to - 1}: at least one, in time order, without NaN;
   *     sorted afterwards
   * @return whether all are finite; a TSD stores no others
   */
  boolean compute(int bucket, double[] points, int from, int to) {
    int at = bucket * names.size();
    if (values.length < at + names.size()) {
      values = Arrays.copyOf(values, 2 * (at + names.size()));
    }
    double first = points[from];
    double last = points[to - 1];
    Arrays.sort(points, from, to);
    boolean finite = true;
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      double value =
          switch (name) {
            case "first" -> first;
            case "last" -> last;
            default -> Percentiles.of(points, from, to, Percentiles.rank(name));
          };
      values[at + i] = value;
      finite &= Double.isFinite(value);
    }
    return finite;
  }

  /** Adds the values of a bucket to its rollup. */
  void put(int bucket, RollupValues rollup) {
    rollup.further(names);
    for (int i = 0; i < names.size(); i++) {
      rollup.further(i, values[bucket * names.size() + i]);
    }
  }

  /** Counts emitted rollups with these aggregators. */
  void count(Books books, int emitted) {
    for (int i = 0; i < levels.size(); i++) {
      books.furtherRollups(levels.get(i), emitted);
    }
  }
}
