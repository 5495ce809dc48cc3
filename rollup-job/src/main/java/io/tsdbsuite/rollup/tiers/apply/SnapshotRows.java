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
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.threads.Workers;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of proven metrics in a snapshot of a table that begin on one day, or in the longer time
 * of one row; or those of idle series. The rows of a region are always the same, in the same order.
 */
final class SnapshotRows {
  private static final int THREADS = 8;

  /** About 150 bytes of memory each. */
  private static final int MAX_STAYING = 1_000_000;

  private final Snapshot data;
  private final TierTable table;
  private final long from;
  private final long to;
  private final Set<Long> metrics;
  private final Set<Long> histograms;
  private final @Nullable IdleSeries series;
  private final boolean anyBucket;
  private @Nullable Map<ByteBuffer, Kept> staying;

  /**
   * @param table of the snapshot
   * @param from start of the day, seconds since the epoch
   * @param to its end, exclusive
   * @param metrics UIDs of the metrics
   * @param histograms those of them whose histograms go with their rows
   * @param series the only ones whose rows are meant; null for all
   * @param anyBucket whether rows may be in another salt bucket than that of their series
   */
  SnapshotRows(
      Snapshot data,
      TierTable table,
      long from,
      long to,
      Set<Long> metrics,
      Set<Long> histograms,
      @Nullable IdleSeries series,
      boolean anyBucket) {
    this.data = data;
    this.table = table;
    this.from = from;
    this.to = to;
    this.metrics = metrics;
    this.histograms = histograms;
    this.series = series;
    this.anyBucket = anyBucket;
  }

  Snapshot data() {
    return data;
  }

  TierTable table() {
    return table;
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  /** Work on the rows of a region. */
  @FunctionalInterface
  interface Reading<T, R> {
    /** Reads; the reader stays open. */
    T of(R rows) throws IOException;
  }

  /**
   * The timestamp of the markers, milliseconds since the epoch: what a region server has stored
   * since the snapshot is newer, even if its clock is behind that of the master, which has stamped
   * the snapshot. All cells of idle series are older than the end of their times: nothing that was
   * stored since can be hidden, from whatever snapshot it was made.
   */
  long stamp() {
    long taken = data.creationTime() - Coverage.CLOCK_SKEW;
    return series == null ? taken : Math.min(taken, to * 1000 - 1);
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
    Map<ByteBuffer, Kept> all = staying();
    return rows(region, rows -> reading.of(markers(rows, all)));
  }

  private MarkerRows markers(RowReader rows, Map<ByteBuffer, Kept> all) {
    return new MarkerRows(
        rows,
        table,
        from,
        to,
        metrics::contains,
        histograms::contains,
        series,
        anyBucket,
        stamp(),
        all);
  }

  /**
   * The rows that stay for what they have, if others of their keys may be in other salt buckets: a
   * TSD merges these, and so did the proof. Of idle series none stays for what it has.
   */
  private synchronized Map<ByteBuffer, Kept> staying() throws IOException {
    if (staying == null) {
      Map<ByteBuffer, Kept> all = new ConcurrentHashMap<>();
      if (anyBucket && series == null && table.schema().saltWidth() > 0) {
        try (Workers workers = new Workers("tiers-stay", THREADS)) {
          List<Boolean> unused =
              workers.mapUntilFailure(
                  regions(),
                  region ->
                      rows(
                          region,
                          rows -> {
                            markers(rows, Map.of()).staying(all, MAX_STAYING);
                            return true;
                          }));
        }
      }
      staying = all;
    }
    return staying;
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
