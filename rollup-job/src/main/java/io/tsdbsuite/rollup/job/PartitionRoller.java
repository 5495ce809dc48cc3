package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.read.ReadSource;
import io.tsdbsuite.rollup.read.ReadTracker;
import io.tsdbsuite.rollup.read.RegionFiles;
import io.tsdbsuite.rollup.read.RowReader;
import io.tsdbsuite.rollup.read.RowReaders;
import io.tsdbsuite.rollup.read.UnreadableBlockException;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.IOException;

/** Reads the window's rows of one partition and rolls them up. For one thread. */
final class PartitionRoller {
  private final RowWindow window;
  private final MetricSelector metrics;
  private final RowRoller roller;
  private final RowKey rowKey;
  private final long maxFailedRows;
  private final PartitionProgress progress;

  PartitionRoller(
      RowWindow window,
      MetricSelector metrics,
      RowKey rowKey,
      RowRoller roller,
      long maxFailedRows,
      PartitionProgress progress) {
    this.window = window;
    this.metrics = metrics;
    this.rowKey = rowKey;
    this.roller = roller;
    this.maxFailedRows = maxFailedRows;
    this.progress = progress;
  }

  /**
   * Rolls up a partition.
   *
   * @return false when it stopped because more rows failed than are allowed
   * @throws IOException when storage fails
   * @throws SinkException when the sink fails
   * @throws RollupException bad input, when the end of an HFile, which has its index, is corrupt
   */
  boolean roll(ReadSource source, RollupPartition partition, RollupSink sink, Books books)
      throws IOException, SinkException {
    ReadTracker tracker = new ReadTracker();
    try (RegionFiles files = open(source, partition, tracker);
        RowReader rows =
            RowReaders.open(
                source,
                files,
                partition.startRow(),
                partition.stopRow(),
                partition.sequential(),
                window::endOfStretch)) {
      boolean more = true;
      while (more && books.rowsFailed() <= maxFailedRows) {
        try {
          more = step(rows, sink, books);
        } catch (UnreadableBlockException e) {
          books.rowRead();
          books.rowFailed(FailReason.UNREADABLE_BLOCK, 0, e.getMessage());
          more = rows.resumeAfter(e);
        }
        progress.update(books, tracker.bytes());
      }
    } finally {
      books.storage(tracker.bytes(), tracker.readCalls());
      progress.finish(books, tracker.bytes());
    }
    return books.rowsFailed() <= maxFailedRows;
  }

  private static RegionFiles open(ReadSource source, RollupPartition partition, ReadTracker tracker)
      throws IOException {
    try {
      return RegionFiles.open(source, partition.files(), partition.sequential(), tracker);
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw e;
      }
      throw RollupException.badInput(tracker.describe(e), e);
    }
  }

  private boolean step(RowReader rows, RollupSink sink, Books books)
      throws IOException, SinkException {
    if (!rows.peek()) {
      return false;
    }
    byte[] key = rows.rowArray();
    int off = rows.rowOffset();
    int len = rows.rowLength();
    if (!window.contains(key, off, len)) {
      return skip(rows, books, SkipReason.OUTSIDE_WINDOW, window.nextAfter(key, off, len));
    }
    if (len >= rowKey.timeOffset() && metrics.excludes(rowKey.metricUid(key, off))) {
      return skip(rows, books, SkipReason.EXCLUDED_METRIC, window.nextMetric(key, off, len));
    }
    roller.restart();
    if (rows.read(roller) > 0) {
      roller.roll(key, off, len, sink, books);
    }
    return true;
  }

  private static boolean skip(RowReader rows, Books books, SkipReason reason, byte[] seekTo)
      throws IOException {
    books.rowRead();
    books.rowSkipped(reason, 0);
    if (seekTo == null) {
      return false;
    }
    rows.seek(seekTo);
    return true;
  }
}
