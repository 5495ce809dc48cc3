package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.plan.LateRows;
import io.tsdbsuite.rollup.plan.LateRowsBuilder;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.read.ChangedRows;
import io.tsdbsuite.rollup.read.ReadSource;
import io.tsdbsuite.rollup.read.ReadTracker;
import io.tsdbsuite.rollup.read.UnreadableBlockException;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.snapshot.SnapshotFile;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.api.java.function.Function;

/**
 * Searches store files on the executors for rows that have changed.
 *
 * @param family the column family's descriptor, in HBase's serialised form
 * @param before the rows that are searched
 * @param since milliseconds since the epoch
 * @param oldest rows of hours (with days: of days) that begin before it may have lost points to the
 *     table's TTL and are not rolled up again; seconds since the epoch
 */
record ChangedRowsTask(
    Broadcasts shared,
    String snapshotRoot,
    byte[] family,
    StorageSchema schema,
    boolean wholeDays,
    MetricPatterns metrics,
    RowWindow before,
    long since,
    long oldest,
    int maxRows)
    implements Function<List<ChangedRowsTask.File>, ChangedRowsTask.Found> {
  private static final long serialVersionUID = 1L;

  private static final long DAY = 86400;
  private static final byte[] NOWHERE = {};

  /**
   * A file of a region.
   *
   * @param startRow of the region
   */
  record File(SnapshotFile file, byte[] startRow) implements Serializable {}

  /**
   * What was found.
   *
   * @param books rows that failed, because nobody can tell whether they have changed
   * @param older files that have nothing so new
   * @param searched the other files
   * @param expired rows that are too old to be whole
   */
  record Found(LateRows rows, Books books, int older, int searched, LateRows expired)
      implements Serializable {}

  @Override
  public Found call(List<File> files) {
    Search search = new Search();
    int searched = 0;
    try {
      ReadSource source = ReadSource.of(shared.hadoop(), snapshotRoot, family);
      for (File file : files) {
        searched += search.run(source, file) ? 1 : 0;
      }
    } catch (IOException | UncheckedIOException e) {
      throw WorkFailures.of(e);
    }
    return new Found(
        search.found.build(),
        search.books,
        files.size() - searched,
        searched,
        search.expired.build());
  }

  private final class Search implements ChangedRows.Visitor {
    private final RowKey rowKey = new RowKey(schema);
    private final MetricSelector selector = new MetricSelector(metrics, shared.names().value());
    private final LateRowsBuilder found = new LateRowsBuilder(schema, wholeDays);
    private final LateRowsBuilder expired = new LateRowsBuilder(schema, wholeDays);
    private final Books books = new Books();

    /** Answers whether the file had to be searched. */
    private boolean run(ReadSource source, File file) throws IOException {
      ReadTracker tracker = new ReadTracker();
      try (ChangedRows rows = open(source, file.file(), tracker)) {
        if (!rows.isPossible(since)) {
          return false;
        }
        rows.search(file.startRow(), since, this);
        return true;
      } finally {
        books.storage(tracker.bytes(), tracker.readCalls());
      }
    }

    private ChangedRows open(ReadSource source, SnapshotFile file, ReadTracker tracker)
        throws IOException {
      try {
        return new ChangedRows(source, file, tracker);
      } catch (IOException | RuntimeException e) {
        if (tracker.hasStorageFailed()) {
          throw e;
        }
        throw RollupException.badInput(tracker.describe(e), e);
      }
    }

    @Override
    public byte[] enter(byte[] key, int off, int len) {
      byte[] next = null;
      if (!before.contains(key, off, len)) {
        next = before.nextAfter(key, off, len);
      } else if (len >= rowKey.tagsOffset() && selector.excludes(rowKey.metricUid(key, off))) {
        next = before.nextMetric(key, off, len);
      } else {
        return null;
      }
      return next == null ? NOWHERE : next;
    }

    @Override
    public void changed(byte[] row) {
      // Rows without a time are in no hour; each run over a window reports them.
      if (row.length < rowKey.tagsOffset() || rowKey.isGlobalAnnotation(row, 0, row.length)) {
        return;
      }
      KeyProblem problem = rowKey.check(row, 0, row.length);
      if (problem != null) {
        books.rowRead();
        books.rowFailed(
            FailReason.MALFORMED_KEY,
            0,
            "row " + Bytes.toStringBinary(row) + ": " + problem.rule());
      } else if (found.size() + expired.size() <= maxRows) {
        // One more than is allowed says enough.
        (isWhole(row) ? found : expired).add(row);
      }
    }

    private boolean isWhole(byte[] row) {
      long time = rowKey.baseTime(row, 0);
      return time - (wholeDays ? time % DAY : 0) >= oldest;
    }

    @Override
    public void unreadable(UnreadableBlockException failure) {
      books.rowRead();
      books.rowFailed(FailReason.UNREADABLE_BLOCK, 0, failure.getMessage());
    }
  }
}
