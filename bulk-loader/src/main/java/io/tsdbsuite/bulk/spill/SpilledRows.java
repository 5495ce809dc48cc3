package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All rows of the runs of a load. */
public final class SpilledRows implements Rows {
  private final List<RunFile> runs;
  private final OnConflict onConflict;
  private final RowKey rowKey;
  private final int cellLimit;

  /**
   * Rows of runs.
   *
   * @param runs in any order, no spill twice; no more than {@link RunMerger#fanIn}, or {@link
   *     RunCompactor} first
   * @param cellLimit qualifier and value of one cell together, bytes; see {@code row.RowBuilder}
   */
  public SpilledRows(List<RunFile> runs, OnConflict onConflict, RowKey rowKey, int cellLimit) {
    this.runs = new ArrayList<>(runs);
    this.runs.sort(Comparator.comparing(RunFile::first));
    this.onConflict = onConflict;
    this.rowKey = rowKey;
    this.cellLimit = cellLimit;
  }

  @Override
  public RowSource open(byte[] from, byte[] to) throws IOException {
    return new RunMerger(new HourMerger(runs, from, to, onConflict, rowKey), rowKey, cellLimit);
  }

  @Override
  public List<byte[]> cuts(int ranges) throws IOException {
    return new KeySample(runs).cuts(ranges);
  }

  /** All hours. */
  public HourSource hours() throws IOException {
    byte[] all = {};
    return new HourMerger(runs, all, all, onConflict, rowKey);
  }

  /** Accepted points by metric. */
  public PointsByMetric pointsByMetric() throws IOException {
    PointsByMetric.Sorted sums = new PointsByMetric.Sorted();
    try (SeriesTotals totals = series()) {
      // By TSUID, which begins with the metric.
      for (SeriesTotal next = totals.next(); next != null; next = totals.next()) {
        sums.add(next.names(), next.accepted());
      }
    }
    return sums.end();
  }

  /** Series of all rows, by TSUID. */
  public SeriesTotals series() throws IOException {
    return new SeriesTotals(runs);
  }
}
