package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.SortedMap;

/**
 * Shared state of the steps of one process.
 *
 * @param began when the load began, be it in an earlier process
 * @param report filled by the steps
 */
record Session(
    LoadSettings settings,
    Instant began,
    CellTimestamps stamps,
    Clock clock,
    ProgressTracker progress,
    TsdHBase hbase,
    WorkDir workDir,
    BulkLoaderReport report) {
  private static final long DAY_SECONDS = 86_400;

  /** Runs a step and reports its time. */
  void timed(String name, BulkLoaderReport.Step step) throws IOException {
    report.timed(name, clock, step);
  }

  LoadState before() {
    return workDir.before();
  }

  /**
   * Checks that no point is below the floor of its metric, unless HBase had all rows, or may have
   * had some HFiles, before this process.
   *
   * @param days with accepted points since the epoch, UTC
   * @throws JobException usage, when there are such points; outside, when HBase fails
   */
  void requireAboveFloors(SpilledRows rows, SortedMap<Integer, Long> days) throws IOException {
    boolean hfiles = settings.write().mode() == Mode.HFILE;
    if (days.isEmpty() || (hfiles ? before().bulkLoading() : before().written())) {
      return;
    }
    BelowFloors below = BelowFloors.read(hbase, settings.write(), clock.millis());
    if (days.firstKey() * DAY_SECONDS < below.highest()) {
      below.add(rows, rowKey());
      below.require();
    }
  }

  RowKey rowKey() {
    return new RowKey(settings.tsd().schema());
  }

  /** Name of the files of the load outside of its work directory. */
  String runId() {
    return Requirements.runId(began);
  }

  /** The masks of the load; see {@link CoverageMasks#of}. */
  CoverageMasks masks(PointsByMetric metrics, Collection<Integer> days) {
    return CoverageMasks.of(hbase, settings.write(), table(), metrics, days, clock, report);
  }

  /** The data table as it is now. */
  TableFacts table() {
    return TableFacts.read(hbase.connection(), settings.tsd().schema().dataTable());
  }
}
