package io.tsdbsuite.rollup.changed;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.ChangedRows;
import io.tsdbsuite.hbase.read.FileOrigin;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.rollup.compute.MetricSelector;
import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.plan.ChangedRowSetBuilder;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.WorkFailures;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * Searches store files for changed rows; runs on the executors.
 *
 * @param family of the data table
 * @param before the rows to search
 * @param since milliseconds since the epoch
 * @param oldest seconds since the epoch; rows of hours (of days, if days are rolled up) that begin
 *     before it may have lost points to the table's TTL and are not rolled up again
 * @param floors rows below them are not rolled up again either
 */
record ChangedRowsTask(
    Broadcasts shared,
    String snapshotRoot,
    SnapshotFamily family,
    StorageSchema schema,
    boolean wholeDays,
    MetricPatterns metrics,
    RowWindow before,
    long since,
    long oldest,
    RawFloors floors,
    int maxRows)
    implements PartitionJobs.Work<List<ChangedRowsTask.File>, ChangedRowsTask.Found> {
  private static final long serialVersionUID = 1L;

  private static final long DAY = 86400;
  private static final byte[] NOWHERE = {};

  /**
   * A file of a region.
   *
   * @param startRow of the region
   * @param age whether the earlier snapshot has the file
   */
  record File(SnapshotFile file, byte[] startRow, Age age) implements Serializable {}

  /** Whether a file is new. HBase never changes a file. */
  enum Age {
    /** The earlier snapshot has it. */
    OLD,
    /** The earlier snapshot does not have it. */
    NEW,
    /** The files of the earlier snapshot are unknown. */
    UNKNOWN
  }

  /**
   * The result of a task, or of all tasks.
   *
   * @param rows changed rows; empty when there are too many
   * @param expired changed rows that may be incomplete because of the TTL; empty when there are too
   *     many
   * @param tooMany whether they exceeded the limit of the whole search
   * @param books bytes read, and rows that failed because a change cannot be ruled out
   * @param older number of files without new cells
   * @param searched number of the other files
   * @param whole number of searched files in which every cell is new
   * @param compacted number of new files written by compactions
   * @param bulkLoadsCompacted names of the bulk-loaded HFiles that these compactions merged
   */
  record Found(
      ChangedRowSet rows,
      ChangedRowSet expired,
      boolean tooMany,
      Books books,
      int older,
      int searched,
      int whole,
      int compacted,
      TreeSet<String> bulkLoadsCompacted)
      implements Serializable {}

  @Override
  public Found run(List<File> files, TaskContext context) {
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
    return search.found(files.size() - searched, searched);
  }

  private final class Search implements ChangedRows.Visitor {
    private final RowKey rowKey = new RowKey(schema);
    private final RowKey unsalted = new RowKey(schema.withoutSalt());
    private final byte[] noBucket = rowKey.bucket(schema.saltBuckets());
    private final MetricSelector selector =
        new MetricSelector(metrics, floors, shared.names().value());
    private ChangedRowSetBuilder found = none();
    private ChangedRowSetBuilder expired = none();
    private final Books books = new Books();
    private final TreeSet<String> bulkLoadsCompacted = new TreeSet<>();
    private boolean tooMany;

    /** Whether the rows are of a bulk-loaded file. */
    private boolean bulkLoaded;

    /** A row that a bulk-loaded file deletes, while the floors are not known; null for none. */
    private byte @Nullable [] deleted;

    private int whole;
    private int compacted;

    private ChangedRowSetBuilder none() {
      return new ChangedRowSetBuilder(schema.withoutSalt(), wholeDays);
    }

    private Found found(int older, int searched) {
      return new Found(
          found.build(),
          expired.build(),
          tooMany,
          books,
          older,
          searched,
          whole,
          compacted,
          bulkLoadsCompacted);
    }

    /** Searches a file; returns whether the search had to read it. */
    private boolean run(ReadSource source, File file) throws IOException {
      if (file.age() == Age.OLD || tooMany) {
        return false;
      }
      ReadTracker tracker = new ReadTracker();
      try (ChangedRows rows = open(source, file.file(), tracker)) {
        long from = since(file, rows);
        if (!rows.isPossible(from)) {
          return false;
        }
        rows.search(file.startRow(), from, this);
        if (deleted != null) {
          throw JobException.usage(
              ("row %s has delete markers in an HFile that was bulk loaded (%s), as rollup-job"
                   + " tiers loads them: the rollups of such rows may be the only data, and would"
                   + " be taken back; give --coverage-table, whose floors tell which rows these"
                   + " are")
                  .formatted(Bytes.toStringBinary(deleted), file.file().name()));
        }
        return true;
      } finally {
        books.storage(tracker.bytes(), tracker.readCalls());
      }
    }

    /**
     * Returns the time from which cells of a file are new. In some files every cell is new,
     * independent of its timestamp.
     */
    private long since(File file, ChangedRows rows) throws IOException {
      FileOrigin origin = rows.origin();
      boolean isNew = file.age() == Age.NEW;
      bulkLoaded = origin.kind() == FileOrigin.Kind.BULK_LOAD;
      if (isNew && origin.kind() == FileOrigin.Kind.COMPACTION) {
        compacted++;
        origin.compacted().stream()
            .filter(StoreFilePath::isBulkLoaded)
            .forEach(bulkLoadsCompacted::add);
      }
      if (isNew && origin.kind() == FileOrigin.Kind.FLUSH && rows.oldestPut() < since) {
        books.oldTimestamps();
      }
      boolean all =
          switch (origin.kind()) {
            case FLUSH -> isNew;
            case BULK_LOAD -> isNew || origin.written() >= since;
            case COMPACTION, UNKNOWN -> false;
          };
      whole += all ? 1 : 0;
      return all ? Long.MIN_VALUE : since;
    }

    private ChangedRows open(ReadSource source, SnapshotFile file, ReadTracker tracker)
        throws IOException {
      try {
        return new ChangedRows(source, file, tracker);
      } catch (IOException | RuntimeException e) {
        if (tracker.hasStorageFailed()) {
          throw e;
        }
        throw JobException.badInput(tracker.describe(e), e);
      }
    }

    @Override
    public byte @Nullable [] enter(byte[] key, int off, int len) {
      byte[] next = null;
      if (tooMany || deleted != null) {
        return NOWHERE;
      }
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
    public void changed(byte[] row, boolean isDeleted) {
      // Rows without a base time belong to no hour; every run over a window reports them.
      if (row.length < rowKey.tagsOffset() || rowKey.isGlobalAnnotation(row, 0, row.length)) {
        return;
      }
      // A row of another bucket is a part of its series too.
      int salt = rowKey.metricOffset();
      KeyProblem problem = unsalted.check(row, salt, row.length - salt);
      if (problem == null && !hasBucket(row)) {
        problem = KeyProblem.WRONG_SALT;
      }
      if (problem != null) {
        books.rowRead();
        books.rowFailed(
            FailReason.MALFORMED_KEY,
            0,
            "row " + Bytes.toStringBinary(row) + ": " + problem.rule());
      } else if (bulkLoaded && isDeleted && !floors.known() && isWhole(row)) {
        deleted = row;
      } else if (rowKey.baseTime(row, 0) < selector.floor(rowKey.metricUid(row, 0))) {
        books.rowRead();
        books.rowSkipped(SkipReason.BELOW_FLOOR, 0);
      } else {
        (isWhole(row) ? found : expired).add(Arrays.copyOfRange(row, salt, row.length));
        tooMany = found.size() + expired.size() > maxRows;
        if (tooMany) {
          // The count suffices; sending all rows would overload the driver.
          found = none();
          expired = none();
        }
      }
    }

    /** Whether a TSD reads the row's bucket. */
    private boolean hasBucket(byte[] row) {
      int salt = rowKey.metricOffset();
      return salt == 0
          || (salt < Integer.BYTES && schema.saltBuckets() == 1 << (Byte.SIZE * salt))
          || Arrays.compareUnsigned(row, 0, salt, noBucket, 0, salt) < 0;
    }

    private boolean isWhole(byte[] row) {
      long time = rowKey.baseTime(row, 0);
      return time - (wholeDays ? time % DAY : 0) >= oldest;
    }

    @Override
    public void unreadable(UnreadableBlockException failure) {
      books.rowRead();
      books.rowFailed(FailReason.UNREADABLE_BLOCK, 0, String.valueOf(failure.getMessage()));
    }
  }
}
