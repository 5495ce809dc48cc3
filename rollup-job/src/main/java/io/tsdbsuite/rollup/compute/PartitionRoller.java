package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.read.BucketRows;
import io.tsdbsuite.hbase.read.ReadRanges;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.RegionFiles;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.RowReaders;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RowChoice;
import io.tsdbsuite.rollup.plan.RowRanges;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Reads the window's rows of one partition and rolls them up. For one thread.
 *
 * <ol>
 *   <li>Opens the parts of the partition one after another, or, if the rows of all salt buckets are
 *       merged, one reader for all of them.
 *   <li>Skips rows outside of the window, metrics that are not selected, and rows below the floor
 *       of their metric, by a seek.
 *   <li>Gives each other row to {@link RowRoller}. A corrupt block is a failed row: the read
 *       resumes behind it, and the days that may have had rows in it fail.
 *   <li>After the last row emits the last day, and, of changed rows, takes back the rollups of
 *       those that produced none.
 * </ol>
 *
 * @param rowKey of the keys to roll up, without salt if the rows of all buckets are merged
 * @param salted of the keys in the table
 */
public record PartitionRoller(
    RowWindow window,
    MetricSelector metrics,
    RowKey rowKey,
    RowKey salted,
    RowRoller roller,
    RollupDeletions deletions,
    FailureLimits limits,
    PartitionProgress progress) {
  /**
   * Rolls up a partition.
   *
   * @return false when it stopped because failures exceeded a limit
   * @throws IOException when storage fails
   * @throws SinkException when the sink fails
   * @throws JobException bad input, when the end of an HFile, which contains its index, is corrupt;
   *     usage, when the days of a metric's series exceed the memory limit
   */
  boolean roll(ReadSource source, RollupPartition partition, RollupSink sink, Books books)
      throws IOException, SinkException {
    try (Rolling rolling = begin(source, partition, sink, books)) {
      boolean more = true;
      while (more) {
        more = rolling.step();
      }
      return !rolling.isStopped();
    }
  }

  /** Begins a partition that the caller rolls up step by step; reads nothing yet. */
  Rolling begin(ReadSource source, RollupPartition partition, RollupSink sink, Books books) {
    return new Rolling(source, partition, sink, books);
  }

  /** A partition in progress, rolled up part by part. For one thread. */
  public final class Rolling implements Closeable {
    private final ReadSource source;

    /** Parts that are read one after another; empty if buckets are merged. */
    private final Iterator<RegionPart> parts;

    private @Nullable BucketRows merged;
    private final RollupSink sink;
    private final Books books;
    private final ReadTracker tracker = new ReadTracker();
    private final RowChoice choice;

    /** Null for partitions of the window. */
    private final @Nullable ChangedRowProgress late;

    private @Nullable RegionFiles files;
    private @Nullable RowReader rows;

    /** End of the open part, exclusive; empty for the end of the table. */
    private byte[] stopRow = {};

    private boolean closed;

    private Rolling(ReadSource source, RollupPartition partition, RollupSink sink, Books books) {
      this.source = source;
      ChangedRowSet changed = partition.late();
      this.choice = changed == null ? window : changed;
      this.parts = partition.merged() ? Collections.emptyIterator() : partition.parts().iterator();
      this.merged = partition.merged() ? merge(partition) : null;
      this.late = changed == null ? null : new ChangedRowProgress(changed);
      this.sink = sink;
      this.books = books;
      if (changed != null && deletions.isPossible()) {
        roller.takeBackDays();
      }
    }

    /**
     * Rolls up the next row, or emits some rollups of earlier rows.
     *
     * @return false when nothing is left, or failures exceeded a limit
     * @throws IOException when storage fails
     * @throws SinkException when the sink fails
     * @throws JobException as {@link PartitionRoller#roll}
     */
    public boolean step() throws IOException, SinkException {
      if (isStopped()) {
        return false;
      }
      RowReader open = rows == null ? openNext() : rows;
      if (open == null) {
        return roller.finish(sink, books)
            || (late != null
                && late.finish(
                    key -> metrics.excludes(rowKey.metricUid(key, 0)), deletions, sink, books));
      }
      boolean more;
      try {
        more = PartitionRoller.this.step(open, choice, late, sink, books);
      } catch (UnreadableBlockException e) {
        books.rowRead();
        books.rowFailed(FailReason.UNREADABLE_BLOCK, 0, String.valueOf(e.getMessage()));
        byte[] end = RowRanges.earlier(e.resumeRow(), stopRow);
        roller.lose(e.firstRow(), end);
        if (late != null) {
          late.lose(e.firstRow(), end);
        }
        more = open.resumeAfter(e);
      }
      if (!more) {
        closePart();
      }
      progress.update(books, tracker.bytes());
      return true;
    }

    private @Nullable RowReader openNext() throws IOException {
      if (merged != null) {
        rows = merged;
        merged = null;
        return rows;
      }
      if (!parts.hasNext()) {
        return null;
      }
      RegionPart part = parts.next();
      stopRow = part.stopRow();
      files = part.open(source, tracker);
      rows = open(part, files, choice::endOfStretch);
      return rows;
    }

    private RowReader open(RegionPart part, RegionFiles of, ReadRanges ranges) {
      return RowReaders.open(
          source, of, part.startRow(), part.stopRow(), part.sequential(), ranges);
    }

    private BucketRows merge(RollupPartition partition) {
      BucketRows all = new BucketRows();
      int width = salted.metricOffset();
      for (List<RegionPart> bucket : partition.buckets(salted)) {
        byte[] salt = Arrays.copyOf(bucket.get(0).startRow(), width);
        Iterator<RegionPart> left = bucket.iterator();
        all.add(
            salt,
            () -> {
              if (!left.hasNext()) {
                return null;
              }
              RegionPart part = left.next();
              RegionFiles of = part.open(source, tracker);
              RowReader opened = open(part, of, row -> endOfStretch(salt, row));
              return new BucketRows.Part(
                  opened,
                  part.stopRow(),
                  () -> {
                    opened.close();
                    of.close();
                  });
            });
      }
      return all;
    }

    private byte @Nullable [] endOfStretch(byte[] salt, byte[] row) {
      byte[] end =
          choice.endOfStretch(
              Arrays.copyOfRange(row, salt.length, Math.max(salt.length, row.length)));
      return end == null ? null : Bytes.add(salt, end);
    }

    private void closePart() {
      try {
        if (rows != null) {
          rows.close();
        }
      } finally {
        rows = null;
        if (files != null) {
          files.close();
          files = null;
        }
      }
    }

    /** Whether the partition stopped early because failures exceeded a limit. */
    public boolean isStopped() {
      return limits.areExceededBy(books);
    }

    /** Enters the bytes and calls read into the books; a second call is a no-op. */
    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      books.storage(tracker.bytes(), tracker.readCalls());
      if (late != null) {
        books.histogramsAlone().forEach(books::lateHistogramsAlone);
      }
      progress.finish(books, tracker.bytes());
      closePart();
    }
  }

  private boolean step(
      RowReader rows,
      RowChoice choice,
      @Nullable ChangedRowProgress late,
      RollupSink sink,
      Books books)
      throws IOException, SinkException {
    if (!rows.peek()) {
      return false;
    }
    byte[] key = rows.rowArray();
    int off = rows.rowOffset();
    int len = rows.rowLength();
    if (!choice.contains(key, off, len)) {
      return skip(rows, books, SkipReason.OUTSIDE_WINDOW, choice.nextAfter(key, off, len));
    }
    if (len >= rowKey.timeOffset() && metrics.excludes(rowKey.metricUid(key, off))) {
      return skip(rows, books, SkipReason.EXCLUDED_METRIC, choice.nextMetric(key, off, len));
    }
    if (len >= rowKey.tagsOffset()) {
      long floor = metrics.floor(rowKey.metricUid(key, off));
      if (rowKey.baseTime(key, off) < floor) {
        byte[] first = Arrays.copyOfRange(key, off, off + rowKey.tagsOffset());
        rowKey.writeBaseTime(first, floor);
        return skip(rows, books, SkipReason.BELOW_FLOOR, first);
      }
    }
    if (!roller.enter(key, off, len, sink, books)) {
      return true;
    }
    roller.restart();
    UnreadableBlockException corrupt = rows.corruptPart();
    if (rows.read(roller) > 0) {
      long before = books.count(Count.ROWS_EMITTED) + books.rowsFailed();
      boolean takeBack = late != null && deletions.isPossible() && late.hasChanged(key, off, len);
      roller.roll(key, off, len, takeBack, corrupt, sink, books);
      if (late != null && books.count(Count.ROWS_EMITTED) + books.rowsFailed() > before) {
        late.settle(key, off, len);
      }
    }
    return true;
  }

  private static boolean skip(
      RowReader rows, Books books, SkipReason reason, byte @Nullable [] seekTo) throws IOException {
    books.rowRead();
    books.rowSkipped(reason, 0);
    if (seekTo == null) {
      return false;
    }
    rows.seek(seekTo);
    return true;
  }
}
