package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.hfile.RecordOrder;
import io.tsdbsuite.rollup.hfile.RegionWriter;
import io.tsdbsuite.rollup.hfile.TargetPartitions;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import io.tsdbsuite.rollup.plan.RollupPartition;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Rolls up by way of Spark's shuffle, in two jobs over one shuffle: the books, which need all of
 * the input; then the regions of the rollup tables.
 */
final class ShuffledRollup {
  private final HFileSinkFactory sinks;
  private final TargetPartitions partitions;
  private final Broadcast<SerializableConfiguration> conf;
  private final CollectionAccumulator<byte[]> stopped;
  private final ShuffleJobs jobs;

  /**
   * @param sinks checked
   */
  ShuffledRollup(
      JavaSparkContext spark, HFileSinkFactory sinks, List<RollupPartition> left, RollupTask task) {
    this.sinks = sinks;
    this.partitions = sinks.partitions();
    this.conf = task.conf();
    this.stopped = spark.sc().collectionAccumulator("stopped tasks");
    JavaPairRDD<byte[], byte[]> records =
        spark.parallelize(left, left.size()).flatMapToPair(new Records(task, sinks, stopped));
    this.jobs = new ShuffleJobs(ShuffledBytes.of(records, partitions, new RecordOrder()));
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

  /** What the driver gets from the partition of the books. */
  private record Results(List<TaskResult> all) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** The books of all tasks. */
  private record AllBooks() implements ShuffleJobs.PartitionTask<Results> {
    private static final long serialVersionUID = 1L;

    @Override
    public Results run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      List<TaskResult> results = new ArrayList<>();
      records.forEachRemaining(record -> results.add(JavaBytes.read(record._2())));
      return new Results(results);
    }
  }

  /** The file of a region; none if it has no rollup. */
  private record Region(RegionWriter writer, Broadcast<SerializableConfiguration> conf)
      implements ShuffleJobs.PartitionTask<WrittenFile> {
    private static final long serialVersionUID = 1L;

    @Override
    public WrittenFile run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      try {
        return writer.write(
            conf.value().value(), context.partitionId(), context.taskAttemptId(), records);
      } catch (IOException e) {
        throw RollupException.outside("HFiles in " + writer.dir() + ": " + e.getMessage(), e);
      }
    }
  }

  /**
   * Books of a task that stopped because more failed than is allowed, known once that task has
   * ended, while others may still read; null if there is none.
   */
  TaskResult stopped() {
    List<byte[]> books = stopped.value();
    return books.isEmpty() ? null : JavaBytes.read(books.get(0));
  }

  /** Reads everything; the results come at the end, all at once. */
  void read(Consumer<TaskResult> taken) {
    jobs.run(
        partitions.books(),
        partitions.books() + 1,
        Results.class,
        new AllBooks(),
        results -> results.all().forEach(taken));
  }

  /**
   * Writes the HFiles.
   *
   * @return cells in them
   */
  long write() {
    List<WrittenFile> files = new ArrayList<>();
    jobs.run(
        0,
        partitions.regions(),
        WrittenFile.class,
        new Region(sinks.writer(), conf),
        file -> {
          if (file != null) {
            files.add(file);
          }
        });
    sinks.written(files);
    return files.stream().mapToLong(WrittenFile::cells).sum();
  }
}
