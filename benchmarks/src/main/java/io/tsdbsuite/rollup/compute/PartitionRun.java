package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.util.List;

/**
 * Processes a partition as a task of the job does, without Spark. The class is in the package
 * {@code compute} because the classes it calls are package-private.
 */
public final class PartitionRun {
  private PartitionRun() {}

  /**
   * Rolls up a partition.
   *
   * @throws IllegalStateException when a row failed or the books do not close
   */
  public static Books roll(
      StorageSchema schema,
      RollupInterval interval,
      RowWindow window,
      ReadSource source,
      RollupPartition partition,
      UidNames names,
      RollupSink sink)
      throws IOException, SinkException {
    Books books = new Books();
    PartitionRoller roller =
        new PartitionRoller(
            window,
            new MetricSelector(MetricPatterns.all(), names),
            new RowKey(schema),
            new RowKey(schema),
            new RowRoller(
                schema, new RollupIntervals(List.of(interval)), names, true, DayMemory.bytes(1)),
            new RollupDeletions(
                new RowKey(schema), new RollupIntervals(List.of(interval)), null, false),
            new FailureLimits(0, 0),
            NoProgress.INSTANCE);
    if (!roller.roll(source, partition, sink, books) || !books.close()) {
      throw new IllegalStateException("rows failed or the books do not close: " + books.samples());
    }
    return books;
  }

  /** Discards progress. */
  private enum NoProgress implements PartitionProgress {
    INSTANCE;

    @Override
    public void update(Books books, long bytes) {}

    @Override
    public void finish(Books books, long bytes) {}
  }
}
