package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * The current books in Spark accumulators, for Spark's web UI and metrics while the job runs.
 * Retried attempts count twice here; the report counts them once.
 */
final class Progress implements PartitionProgress, Serializable {
  private static final long serialVersionUID = 1L;
  private static final int ROWS_PER_UPDATE = 4096;

  private final LongAccumulator rowsRead;
  private final LongAccumulator rowsEmitted;
  private final LongAccumulator rowsSkipped;
  private final LongAccumulator rowsFailed;
  private final LongAccumulator pointsRead;
  private final LongAccumulator bytesRead;
  private transient @Nullable Marks seen;
  private transient int untilUpdate;

  /** The sums already added to the accumulators. */
  private static final class Marks {
    private long read;
    private long emitted;
    private long skipped;
    private long failed;
    private long points;
    private long bytes;
  }

  Progress(SparkContext spark) {
    rowsRead = spark.longAccumulator("rows read");
    rowsEmitted = spark.longAccumulator("rows emitted");
    rowsSkipped = spark.longAccumulator("rows skipped");
    rowsFailed = spark.longAccumulator("rows failed");
    pointsRead = spark.longAccumulator("points read");
    bytesRead = spark.longAccumulator("bytes read");
  }

  /** Adds the new counts from time to time. */
  @Override
  public void update(Books books, long bytes) {
    if (--untilUpdate <= 0) {
      untilUpdate = ROWS_PER_UPDATE;
      finish(books, bytes);
    }
  }

  /** Adds the remaining counts. */
  @Override
  public void finish(Books books, long bytes) {
    if (seen == null) {
      seen = new Marks();
    }
    rowsRead.add(books.count(Count.ROWS_READ) - seen.read);
    seen.read = books.count(Count.ROWS_READ);
    rowsEmitted.add(books.count(Count.ROWS_EMITTED) - seen.emitted);
    seen.emitted = books.count(Count.ROWS_EMITTED);
    rowsSkipped.add(books.rowsSkipped() - seen.skipped);
    seen.skipped = books.rowsSkipped();
    rowsFailed.add(books.rowsFailed() - seen.failed);
    seen.failed = books.rowsFailed();
    pointsRead.add(books.count(Count.POINTS_READ) - seen.points);
    seen.points = books.count(Count.POINTS_READ);
    bytesRead.add(bytes - seen.bytes);
    seen.bytes = bytes;
  }
}
