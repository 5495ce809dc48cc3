package io.tsdbsuite.rollup.job;

import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.PartitionJobs.PartitionWork;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.ShuffledBytes;
import io.tsdbsuite.rollup.spark.WorkFailures;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.CollectionAccumulator;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Rolls up through Spark's shuffle, in two Spark jobs over one shuffle: the first collects the
 * books, which needs the whole input; the second writes the partitions.
 */
final class ShuffledRollup {
  private final HFileSinkFactory sinks;

  /** The number of written partitions, which is also the index of the partition with the books. */
  private final int books;

  private final Broadcasts shared;
  private final CollectionAccumulator<byte[]> stopped;
  private final RDD<Tuple2<byte[], byte[]>> shuffled;

  /**
   * @param sinks checked
   */
  ShuffledRollup(
      JavaSparkContext spark,
      HFileSinkFactory sinks,
      List<RollupPartition> left,
      RollupTask task,
      Broadcasts shared) {
    this.sinks = sinks;
    this.shared = shared;
    this.stopped = spark.sc().collectionAccumulator("stopped tasks");
    Partitioner partitions = sinks.partitions();
    this.books = partitions.numPartitions() - 1;
    JavaPairRDD<byte[], byte[]> records =
        spark.parallelize(left, left.size()).flatMapToPair(new Records(task, sinks, stopped));
    this.shuffled = ShuffledBytes.of(records, partitions, sinks.order());
  }

  /** Reads a partition of the plan. */
  private record Records(
      RollupTask task, HFileSinkFactory sinks, CollectionAccumulator<byte[]> stopped)
      implements PairFlatMapFunction<RollupPartition, byte[], byte[]> {
    @Override
    public Iterator<Tuple2<byte[], byte[]>> call(RollupPartition partition) {
      return task.records(partition, TaskContext.get(), sinks, stopped);
    }
  }

  /** The books of all tasks. */
  private record AllBooks() implements PartitionWork<Tuple2<byte[], byte[]>, List<TaskResult>> {
    private static final long serialVersionUID = 1L;

    @Override
    public List<TaskResult> run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      List<TaskResult> results = new ArrayList<>();
      records.forEachRemaining(
          record -> results.add(JavaBytes.read(record._2(), TaskResult.class)));
      return results;
    }
  }

  /** Writes a partition; the result is null if it has no rollup. */
  private record Write(HFileSinkFactory sinks, Broadcasts shared)
      implements PartitionWork<Tuple2<byte[], byte[]>, WrittenFile> {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable WrittenFile run(
        TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      try {
        return sinks.write(
            shared.hadoop(), context.partitionId(), context.taskAttemptId(), records);
      } catch (SinkException e) {
        throw WorkFailures.of(e);
      }
    }
  }

  /**
   * Books of a task that stopped because failures exceeded a limit; empty if there is none. Known
   * as soon as that task has ended, while others may still read.
   */
  Optional<TaskResult> stopped() {
    return stopped.value().stream()
        .findFirst()
        .map(bytes -> JavaBytes.read(bytes, TaskResult.class));
  }

  /** Reads everything; the results come at the end, all at once. */
  void read(Consumer<TaskResult> taken) {
    PartitionJobs.run(shuffled, List.of(books), new AllBooks(), results -> results.forEach(taken));
  }

  /**
   * Writes the partitions.
   *
   * @return the number of cells written
   */
  long write() {
    List<WrittenFile> written = new ArrayList<>();
    PartitionJobs.run(
        shuffled,
        IntStream.range(0, books).boxed().toList(),
        new Write(sinks, shared),
        partition -> {
          if (partition != null) {
            written.add(partition);
          }
        });
    return sinks.written(written);
  }
}
