package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.hfile.RecordSink;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.PulledRecords;
import io.tsdbsuite.rollup.spark.WorkFailures;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.CollectionAccumulator;
import scala.Tuple2;

/**
 * The work of one task, shipped to the executors: rolls up a partition and returns its books.
 *
 * @param snapshotRoot determines the file system
 * @param family of the data table
 * @param tasksPerExecutor number of concurrent tasks in one JVM; 0 when unknown
 */
record RollupTask(
    Broadcasts shared,
    String snapshotRoot,
    SnapshotFamily family,
    StorageSchema schema,
    RollupIntervals intervals,
    RowWindow window,
    MetricPatterns metrics,
    FailureLimits limits,
    int tasksPerExecutor,
    int messagesPerInterval,
    SinkFactory sinks,
    Progress progress)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * The task of a run over the window.
   *
   * @param shared of {@code data}
   * @param limits for one task, before it stops
   */
  static RollupTask of(
      JavaSparkContext spark,
      RollupOptions options,
      Snapshot data,
      Broadcasts shared,
      FailureLimits limits,
      int messagesPerInterval,
      SinkFactory sinks) {
    return new RollupTask(
        shared,
        options.snapshotRoot(),
        SnapshotFamily.of(data),
        options.schema(),
        options.intervals(),
        new RowWindow(options.schema(), options.from(), options.to()),
        options.metrics(),
        limits,
        Concurrency.perExecutor(spark.sc()),
        messagesPerInterval,
        sinks,
        new Progress(spark.sc()));
  }

  /**
   * Runs the task.
   *
   * @throws JobException outside, when storage, Kafka or HBase fails, so that Spark retries the
   *     task; bad input, when an HFile cannot be opened; usage, when the sink is set up wrongly
   */
  TaskResult run(RollupPartition partition, TaskContext context) {
    Books books = new Books();
    try (RollupSink sink = sinks.open(partition.index(), context.taskAttemptId())) {
      if (!roller().roll(source(), partition, sink, books)) {
        sink.abort();
        // Handed over but not acknowledged: the books of a stopped run do not balance.
        books.messages(messages(books), 0);
        return new TaskResult(partition.index(), books, null, true);
      }
      SinkResult result = sink.finish();
      books.messages(messages(books), result.messages());
      return new TaskResult(partition.index(), books, result, false);
    } catch (SinkException | IOException | UncheckedIOException e) {
      throw WorkFailures.of(e);
    }
  }

  /**
   * Begins a task whose rollups go through a shuffle. Returns its records, followed by its books.
   *
   * @param stopped receives the books of a task that stopped early, in the form of {@link
   *     JavaBytes}
   * @throws JobException as {@link #run}; the returned iterator throws it too
   */
  Iterator<Tuple2<byte[], byte[]>> records(
      RollupPartition partition,
      TaskContext context,
      HFileSinkFactory hfiles,
      CollectionAccumulator<byte[]> stopped) {
    Books books = new Books();
    RecordSink sink = hfiles.open(partition.index(), context.taskAttemptId());
    PulledRecords records = new PulledRecords();
    PartitionRoller.Rolling rolling = begin(partition, sink, books);
    return records.from(
        () -> {
          boolean more = rolling.step();
          for (var record = sink.poll(); record != null; record = sink.poll()) {
            records.add(record);
          }
          return more;
        },
        rolling,
        context,
        () -> {
          // The tasks that write the records acknowledge them.
          books.messages(messages(books), 0);
          SinkResult result = rolling.isStopped() ? null : sink.finish();
          byte[] taken =
              JavaBytes.of(new TaskResult(partition.index(), books, result, rolling.isStopped()));
          if (rolling.isStopped()) {
            stopped.add(taken);
          }
          return sink.books(taken);
        });
  }

  /**
   * Begins a partition that the caller rolls up step by step, into the caller's sink.
   *
   * @throws JobException outside, when storage fails
   */
  PartitionRoller.Rolling begin(RollupPartition partition, RollupSink sink, Books books) {
    try {
      return roller().begin(source(), partition, sink, books);
    } catch (IOException | UncheckedIOException e) {
      throw WorkFailures.of(e);
    }
  }

  /** Number of messages handed to the sink. */
  private long messages(Books books) {
    return (books.intervalsEmitted() + books.rollupsTakenBack()) * messagesPerInterval;
  }

  private PartitionRoller roller() {
    RowKey rowKey = new RowKey(schema);
    SeriesNames series =
        sinks.wantsNames() ? new SeriesNames(rowKey, shared.names().value()) : null;
    return new PartitionRoller(
        window,
        new MetricSelector(metrics, shared.names().value()),
        rowKey,
        new RowRoller(
            schema,
            intervals,
            shared.names().value(),
            sinks.wantsNames(),
            DayMemory.bytes(tasksPerExecutor),
            sinks.takesBackOwn()),
        new RollupDeletions(rowKey, intervals, series, sinks.takesBack()),
        limits,
        progress);
  }

  private ReadSource source() throws IOException {
    // An executor may have another class path than the driver.
    HBaseVersion.require();
    return ReadSource.of(shared.hadoop(), snapshotRoot, family);
  }
}
