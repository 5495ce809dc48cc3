package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import java.io.Serializable;
import java.util.stream.Stream;
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

  private final LongAccumulator[] sums;

  /** What was added to the sums; null before the first time. */
  private transient long @Nullable [] seen;

  private transient int untilUpdate;

  Progress(SparkContext spark) {
    sums =
        Stream.of(
                "rows read",
                "rows emitted",
                "rows skipped",
                "rows failed",
                "points read",
                "bytes read")
            .map(spark::longAccumulator)
            .toArray(LongAccumulator[]::new);
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
    long[] now = {
      books.count(Count.ROWS_READ),
      books.count(Count.ROWS_EMITTED),
      books.rowsSkipped(),
      books.rowsFailed(),
      books.count(Count.POINTS_READ),
      bytes
    };
    for (int i = 0; i < sums.length; i++) {
      sums[i].add(seen == null ? now[i] : now[i] - seen[i]);
    }
    seen = now;
  }
}
