package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.RegionFiles;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.RowReaders;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * The rows of proven metrics in a snapshot of a table that begin on one day, or in the longer time
 * of one row. The rows of a region are always the same, in the same order.
 *
 * @param table of the snapshot
 * @param from start of the day, seconds since the epoch
 * @param to its end, exclusive
 * @param metrics UIDs of the metrics
 * @param anyBucket whether rows may be in another salt bucket than that of their series
 */
record SnapshotDay(
    Snapshot data, TierTable table, long from, long to, Set<Long> metrics, boolean anyBucket) {

  /** Work on the rows of a region. */
  @FunctionalInterface
  interface Reading<T, R> {
    /** Reads; the reader stays open. */
    T of(R rows) throws IOException;
  }

  /**
   * The timestamp of the markers, milliseconds since the epoch: what a region server has stored
   * since the snapshot is newer, even if its clock is behind that of the master, which has stamped
   * the snapshot.
   */
  long stamp() {
    return data.creationTime() - Coverage.CLOCK_SKEW;
  }

  /** The regions of the snapshot that may have such rows. */
  List<SnapshotRegion> regions() {
    RowWindow window = new RowWindow(table.schema(), from, to);
    return data.regions().stream()
        .filter(region -> window.intersects(region.startKey(), region.endKey()))
        .toList();
  }

  /** Works on the rows of a region that get markers. */
  <T> T markers(SnapshotRegion region, Reading<T, MarkerRows> reading) throws IOException {
    return rows(
        region,
        rows -> reading.of(new MarkerRows(rows, table, from, to, metrics, anyBucket, stamp())));
  }

  /**
   * Works on all rows of a region.
   *
   * @throws JobException bad input, when a file is missing or damaged
   * @throws IOException when storage fails
   */
  <T> T rows(SnapshotRegion region, Reading<T, RowReader> reading) throws IOException {
    RegionPart part =
        new RegionPart(
            region.encodedName(),
            region.startKey(),
            region.endKey(),
            new StoreFileResolver(data).resolve(region),
            false);
    ReadSource source = ReadSource.of(data);
    RowWindow window = new RowWindow(table.schema(), from, to);
    try (RegionFiles files = part.open(source, new ReadTracker());
        RowReader rows =
            RowReaders.open(
                source, files, part.startRow(), part.stopRow(), false, window::endOfStretch)) {
      return reading.of(rows);
    }
  }
}
