package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.day.DayHistograms.Histogram;
import io.tsdbsuite.rollup.report.Books;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rollups of one interval have beside the four values: those of further aggregators ({@code
 * p99}, {@code first}), equal to the TSD's answers to {@code 1h-p99} and {@code 1h-first} over one
 * bucket, and histograms. For one thread.
 */
final class FurtherValues {
  private final String interval;
  private List<String> names = List.of();

  /** Levels of the coverage, by name. */
  private List<String> levels = List.of();

  /** Values by bucket and name. */
  private double[] values = {};

  private final String histogramLevel;

  /** Whether the metric has histograms. */
  private boolean histogram;

  /** The histograms by bucket; null where there is none. */
  private @Nullable Histogram[] histograms = {};

  private long emitted;
  private long alone;
  private long tooWide;
  private long mixed;

  FurtherValues(String interval) {
    this.interval = interval;
    this.histogramLevel = Level.text(interval, Level.HISTOGRAM);
  }

  /** Takes the aggregators of a metric, and whether it has histograms. */
  void select(Selection selection) {
    histogram = selection.histogram(interval);
    List<String> selected = selection.aggregators(interval);
    // All metrics of an entry share one list, so this mostly compares references.
    if (!selected.equals(names)) {
      names = selected;
      levels = names.stream().map(name -> Level.text(interval, name)).toList();
    }
  }

  /** Whether the metric has no further aggregators. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /** Whether the metric has histograms. */
  boolean hasHistograms() {
    return histogram;
  }

  /**
   * Sets the histogram of a bucket.
   *
   * @param of null if the bucket has neither points nor histogram cells
   */
  void histogram(int bucket, @Nullable Histogram of) {
    if (histograms.length <= bucket) {
      histograms = Arrays.copyOf(histograms, 2 * bucket + 1);
    }
    histograms[bucket] = of;
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
    Percentiles.further(names, points, from, to, values, at);
    boolean finite = true;
    for (int i = 0; i < names.size(); i++) {
      finite &= Double.isFinite(values[at + i]);
    }
    return finite;
  }

  /**
   * Adds what a bucket has to its rollup, which is empty or has the four values; it stays empty if
   * there is no histogram.
   */
  void put(int bucket, RollupValues rollup) {
    boolean hasValues = rollup.hasValues();
    if (hasValues) {
      rollup.further(names);
      for (int i = 0; i < names.size(); i++) {
        rollup.further(i, values[bucket * names.size() + i]);
      }
    }
    Histogram of = histogram ? histograms[bucket] : null;
    if (of != null) {
      mixed += of.ofCells() && hasValues ? 1 : 0;
      if (of.payload() == null) {
        tooWide++;
      } else {
        rollup.histogram(of.codec(), of.payload());
        emitted++;
        alone += hasValues ? 0 : 1;
      }
    }
  }

  /**
   * Counts emitted rollups with these aggregators, and the histograms that {@link #put} has added
   * since the last call.
   *
   * @param rollups those with the four values, and histograms alone
   */
  void count(Books books, int rollups) {
    for (int i = 0; i < levels.size(); i++) {
      books.furtherRollups(levels.get(i), rollups - alone);
    }
    if (histogram) {
      books.furtherRollups(histogramLevel, emitted);
      books.histogramsAlone(interval, alone);
      books.oddHistograms(tooWide, mixed);
      emitted = 0;
      alone = 0;
      tooWide = 0;
      mixed = 0;
    }
  }
}
