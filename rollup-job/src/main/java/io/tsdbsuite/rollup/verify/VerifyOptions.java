package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.coverage.CoverageFloor;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Source and selection of the stored rollups.
 *
 * @param rollupRoot HBase root or target of ExportSnapshot that contains {@code snapshots}
 * @param snapshots of the rollup tables of all intervals, in any order; empty with {@code tsd}
 * @param tsd address of a TSD, {@code http://host:4242}; null with {@code snapshots}
 * @param tsdQueries number of concurrent queries to the TSD
 * @param sample the series to compare
 * @param aggregatorIds numbers of sum, min, max and count in rollup_config.json
 * @param metrics the patterns of {@code --metrics}, separated by commas; {@code *} for all
 * @param floors of the coverage table. Rollups below the raw floor of their metric are not
 *     compared, since raw data of theirs may be gone
 * @param countsRows whether the raw rows are also counted by metric
 */
public record VerifyOptions(
    String rollupRoot,
    List<String> snapshots,
    @Nullable URI tsd,
    int tsdQueries,
    SeriesSample sample,
    List<Integer> aggregatorIds,
    String metrics,
    List<CoverageFloor> floors,
    boolean countsRows) {
  /** The same with other metrics. */
  public VerifyOptions with(String patterns) {
    return new VerifyOptions(
        rollupRoot,
        snapshots,
        tsd,
        tsdQueries,
        sample,
        aggregatorIds,
        patterns,
        floors,
        countsRows);
  }

  /** The same with another sample. */
  public VerifyOptions with(SeriesSample other) {
    return new VerifyOptions(
        rollupRoot, snapshots, tsd, tsdQueries, other, aggregatorIds, metrics, floors, countsRows);
  }

  /** The same with floors. */
  public VerifyOptions withFloors(List<CoverageFloor> known) {
    return new VerifyOptions(
        rollupRoot, snapshots, tsd, tsdQueries, sample, aggregatorIds, metrics, known, countsRows);
  }
}
