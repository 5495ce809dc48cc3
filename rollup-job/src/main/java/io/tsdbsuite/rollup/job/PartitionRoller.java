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
import java.io.Closeable;
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
    try (Rolling rolling = begin(source, partition, sink, books)) {
      boolean more = true;
      while (more) {
        more = rolling.step();
      }
    }
    return books.rowsFailed() <= maxFailedRows;
  }

  /**
   * Begins a partition that somebody else rolls up step by step.
   *
   * @throws IOException as {@link #roll}, and RollupException too
   */
  Rolling begin(ReadSource source, RollupPartition partition, RollupSink sink, Books books)
      throws IOException {
    return new Rolling(source, partition, sink, books);
  }

  /** A partition that is being rolled up. For one thread. */
  final class Rolling implements Closeable {
    private final RollupSink sink;
    private final Books books;
    private final ReadTracker tracker = new ReadTracker();
    private final RegionFiles files;
    private final RowReader rows;
    private boolean more = true;
    private boolean closed;

    private Rolling(ReadSource source, RollupPartition partition, RollupSink sink, Books books)
        throws IOException {
      this.sink = sink;
      this.books = books;
      try {
        this.files = open(source, partition, tracker);
        this.rows = rows(source, partition, files);
      } catch (IOException | RuntimeException e) {
        tell();
        throw e;
      }
    }

    /**
     * Rolls up the next row.
     *
     * @return false when there is none, or more rows failed than are allowed
     * @throws IOException when storage fails
     * @throws SinkException when the sink fails
     */
    boolean step() throws IOException, SinkException {
      if (!more || books.rowsFailed() > maxFailedRows) {
        return false;
      }
      try {
        more = PartitionRoller.this.step(rows, sink, books);
      } catch (UnreadableBlockException e) {
        books.rowRead();
        books.rowFailed(FailReason.UNREADABLE_BLOCK, 0, e.getMessage());
        more = rows.resumeAfter(e);
      }
      progress.update(books, tracker.bytes());
      return true;
    }

    /** Whether the partition was left before its end because more rows failed than are allowed. */
    boolean isStopped() {
      return books.rowsFailed() > maxFailedRows;
    }

    private void tell() {
      books.storage(tracker.bytes(), tracker.readCalls());
      progress.finish(books, tracker.bytes());
    }

    /** Enters into the books what was read; a second call does nothing. */
    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      try {
        tell();
        rows.close();
      } finally {
        files.close();
      }
    }
  }

  private RowReader rows(ReadSource source, RollupPartition partition, RegionFiles files) {
    try {
      return RowReaders.open(
          source,
          files,
          partition.startRow(),
          partition.stopRow(),
          partition.sequential(),
          window::endOfStretch);
    } catch (RuntimeException e) {
      files.close();
      throw e;
    }
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
