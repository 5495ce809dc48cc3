package io.tsdbsuite.rollup.job;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.rollup.compute.PartitionRoller;
import io.tsdbsuite.rollup.compute.PartitionTask;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.hfile.RecordSink;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.spark.PulledRecords;
import io.tsdbsuite.rollup.spark.WorkFailures;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.util.CollectionAccumulator;
import scala.Tuple2;

/**
 * The work of one task, shipped to the executors: rolls up a partition and returns its books.
 *
 * @param work reads and rolls up the partition
 */
record RollupTask(PartitionTask work, SinkFactory sinks) implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Runs the task.
   *
   * @throws JobException outside, when storage, Kafka or HBase fails, so that Spark retries the
   *     task; bad input, when an HFile cannot be opened; usage, when the sink is set up wrongly
   */
  TaskResult run(RollupPartition partition, TaskContext context) {
    Books books = new Books();
    try (RollupSink sink = sinks.open(partition.index(), context.taskAttemptId())) {
      if (!work.roll(partition, sink, books)) {
        sink.abort();
        // Handed over but not acknowledged: the books of a stopped run do not balance.
        books.messages(sinks.leastMessages(rollups(books)), 0);
        return new TaskResult(partition.index(), books, null);
      }
      SinkResult result = sink.finish();
      checkPoints(result, books);
      books.messages(result.due(), result.messages());
      return new TaskResult(partition.index(), books, result);
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
    RecordSink sink = hfiles.open(partition.index(), partition.late() != null);
    PulledRecords records = new PulledRecords();
    PartitionRoller.Rolling rolling = work.begin(partition, sink, books);
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
          SinkResult result = rolling.isStopped() ? null : sink.finish();
          if (result != null) {
            checkPoints(result, books);
          }
          // The tasks that write the records acknowledge them.
          books.messages(result == null ? sinks.leastMessages(rollups(books)) : result.due(), 0);
          byte[] taken = JavaBytes.of(new TaskResult(partition.index(), books, result));
          if (rolling.isStopped()) {
            stopped.add(taken);
          }
          return sink.books(taken);
        });
  }

  /** Checks that the sink took all rollups. */
  private static void checkPoints(SinkResult result, Books books) {
    if (result.points() != rollups(books)) {
      throw JobException.defect(
          ("the books do not close: the sink sent %s of %s rollups of partition %s; this is"
                  + " a defect of rollup-job, please report it with the log")
              .formatted(result.points(), rollups(books), result.partition()),
          null);
    }
  }

  /** Number of rollups and deletions handed to the sink. */
  private static long rollups(Books books) {
    return books.intervalsEmitted() + books.count(Count.ROLLUPS_TAKEN_BACK);
  }
}
