package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Source and selection of the stored rollups.
 *
 * @param rollupRoot HBase root or target of ExportSnapshot that contains {@code snapshots}
 * @param snapshots of the rollup tables, and those of histograms and packed rows, of all intervals,
 *     in any order; empty with {@code tsd}
 * @param tsd address of a TSD, {@code http://host:4242}; null with {@code snapshots}
 * @param tsdQueries number of concurrent queries to the TSD
 * @param sample the series to compare
 * @param aggregators of the rollups
 * @param metrics the patterns of {@code --metrics}, separated by commas; {@code *} for all
 * @param floors of the coverage table. Rollups below the floor of their metric are not compared:
 *     the raw data or rollups of which they were made may be gone
 * @param counted the table whose rows are also counted by metric: {@code raw}, or the narrowest
 *     interval, of whose rollups the wider ones are then made, instead of raw data; null for none
 */
public record VerifyOptions(
    String rollupRoot,
    List<String> snapshots,
    @Nullable URI tsd,
    int tsdQueries,
    SeriesSample sample,
    Aggregators aggregators,
    String metrics,
    List<CoverageFloor> floors,
    @Nullable String counted) {
  /** Whether the raw rows are counted. */
  public boolean countsRawRows() {
    return CoverageFloor.RAW.equals(counted);
  }

  /** The interval of whose rollups wider ones are made; null if they are made of raw data. */
  public @Nullable String source() {
    return countsRawRows() ? null : counted;
  }

  /**
   * The levels that are compared, by number: {@link Aggregators#levels}, but without those of
   * histograms if a TSD is asked, or if rollups are made of rollups; then {@code 1h.packed} of the
   * intervals that have such a table. A TSD does not tell of packed rows, and raw data or rollups
   * that may go are proven by the plain ones.
   */
  public List<String> levels(RollupIntervals intervals) {
    List<String> levels =
        tsd == null && source() == null
            ? aggregators.levels(intervals.all())
            : new ArrayList<>(intervals.all().stream().map(RollupInterval::interval).toList());
    if (tsd == null && counted == null) {
      levels.addAll(packed(intervals));
    }
    return levels;
  }

  /** The levels {@code 1h.packed} of intervals, also if they are not compared. */
  public List<String> packed(RollupIntervals intervals) {
    return intervals.all().stream()
        .map(RollupInterval::interval)
        .filter(each -> aggregators.suite().packedTable(each) != null)
        .map(each -> Level.text(each, Level.PACKED))
        .toList();
  }

  /** The same with other metrics. */
  public VerifyOptions with(String patterns) {
    return new VerifyOptions(
        rollupRoot, snapshots, tsd, tsdQueries, sample, aggregators, patterns, floors, counted);
  }

  /** The same with another sample. */
  public VerifyOptions with(SeriesSample other) {
    return new VerifyOptions(
        rollupRoot, snapshots, tsd, tsdQueries, other, aggregators, metrics, floors, counted);
  }

  /** The same with floors. */
  public VerifyOptions withFloors(List<CoverageFloor> known) {
    return new VerifyOptions(
        rollupRoot, snapshots, tsd, tsdQueries, sample, aggregators, metrics, known, counted);
  }
}
