package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.KeyOrder;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.compute.PartitionTask;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.ShuffledBytes;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/** Joins both sides of a comparison through Spark's shuffle. */
record VerifyShuffle(JavaSparkContext spark, RollupOptions options, VerifyOptions verify) {
  /**
   * Approximate memory for sorting one record of four values; {@link #TASK_BYTES} limits it for a
   * task.
   */
  private static final long RECORD_BYTES = 150;

  /** The same of the histogram of a rollup. */
  private static final long HISTOGRAM_BYTES = 600;

  private static final long TASK_BYTES = 128L << 20;
  private static final int MOST_TASKS = 4000;

  /**
   * Compares.
   *
   * @param plan of the raw snapshot
   * @param parts parts of the rollup tables; empty when a TSD is queried
   * @param rollups estimated number of computed rollups
   * @return the result of each task
   * @throws JobException the exception of the last failed attempt, when a task has failed too often
   */
  List<CompareTask.Result> compare(
      Snapshot data, UidNames names, RollupPlan plan, List<StoredTask.Part> parts, double rollups) {
    try (Broadcasts shared = Broadcasts.of(spark, names, data)) {
      JavaRDD<Tuple2<byte[], byte[]>> records =
          sorted(records(data, plan, parts, shared), tasks(rollups));
      List<CompareTask.Result> results = new ArrayList<>();
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () -> results.addAll(records.mapPartitions(compareTask(shared.names())).collect()),
          () -> false);
      return results;
    }
  }

  private JavaPairRDD<byte[], byte[]> records(
      Snapshot data, RollupPlan plan, List<StoredTask.Part> parts, Broadcasts shared) {
    int partitions = plan.partitions().size();
    JavaPairRDD<byte[], byte[]> computed =
        spark
            .parallelize(plan.partitions(), Math.max(1, partitions))
            .flatMapToPair(computed(data, shared));
    return parts.isEmpty()
        ? computed
        : computed.union(
            spark
                .parallelize(parts, parts.size())
                .flatMapToPair(
                    new StoredTask(
                        shared, verify.rollupRoot(), options.metrics(), verify.floors())));
  }

  private ComputedTask computed(Snapshot data, Broadcasts shared) {
    // A TSD is queried by names; snapshots are compared by UIDs.
    boolean named = verify.tsd() != null;
    PartitionTask work =
        new PartitionTask(
            spark, options, data, shared, RawFloors.UNKNOWN, FailureLimits.NONE, named, false);
    return new ComputedTask(
        work,
        options.schema(),
        verify.levels(options.intervals()),
        verify.aggregators(),
        verify.sample(),
        verify.countsRawRows() ? shared.names() : null,
        verify.floors());
  }

  private CompareTask compareTask(Broadcast<UidNames> names) {
    return new CompareTask(
        names,
        options.schema(),
        verify.aggregators(),
        verify.levels(options.intervals()),
        verify.tsd(),
        options.from(),
        options.to(),
        verify.floors(),
        verify.source() == null ? null : options.intervals().all().get(0));
  }

  private static JavaRDD<Tuple2<byte[], byte[]>> sorted(
      JavaPairRDD<byte[], byte[]> records, int tasks) {
    return ShuffledBytes.of(records, new VerifyPartitions(tasks), new KeyOrder(0)).toJavaRDD();
  }

  private int tasks(double rollups) {
    if (verify.tsd() != null) {
      return verify.tsdQueries();
    }
    List<String> levels = verify.levels(options.intervals());
    boolean hasHistograms = levels.stream().anyMatch(Level::isHistogram);
    boolean hasPacked = levels.stream().anyMatch(Level::isPacked);
    double records = (hasPacked ? 4 : 2) * rollups * verify.sample().fraction();
    double further = Double.BYTES * (verify.aggregators().names().size() - 4.0);
    double bytes = RECORD_BYTES + further + (hasHistograms ? HISTOGRAM_BYTES : 0);
    long tasks = (long) Math.ceil(records * bytes / TASK_BYTES);
    return (int) Math.min(MOST_TASKS, Math.max(spark.defaultParallelism(), tasks));
  }

  /** Places all records of a series in one partition, and the records of books in the first. */
  private static final class VerifyPartitions extends Partitioner {
    private static final long serialVersionUID = 1L;

    private final int partitions;

    VerifyPartitions(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      byte[] bytes = (byte[]) key;
      if (BooksRecord.is(bytes)) {
        return 0;
      }
      int hash = Arrays.hashCode(VerifyRecord.tsuid(bytes));
      // Java's hash of byte arrays varies too little in its low bits.
      return Math.floorMod(hash ^ (hash >>> 15), partitions);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof VerifyPartitions that && that.partitions == partitions;
    }

    @Override
    public int hashCode() {
      return partitions;
    }
  }
}
