package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.BroadcastRelease;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.spark.SparkFailures;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Asks storage about many HFiles: here if they are few, otherwise in tasks. Several threads of a
 * task ask at the same time, since they mostly wait.
 */
final class RegionJob {
  /** A few seconds of a task, even if each request to storage takes 100 ms. */
  private static final int TASK_FILES = 250;

  /** Up to this number of files the driver asks by itself, without the start of tasks. */
  private static final int DRIVER_FILES = 2 * TASK_FILES;

  private final JavaSparkContext spark;
  private final Snapshot data;
  private final int taskFiles;
  private final int driverFiles;

  /** A job over the regions of a snapshot. */
  RegionJob(JavaSparkContext spark, Snapshot data) {
    this(spark, data, TASK_FILES, DRIVER_FILES);
  }

  /** For tests, which have fewer files. */
  RegionJob(JavaSparkContext spark, Snapshot data, int taskFiles, int driverFiles) {
    this.spark = spark;
    this.data = data;
    this.taskFiles = taskFiles;
    this.driverFiles = driverFiles;
  }

  /**
   * A query about regions.
   *
   * @param <R> the result, serialisable
   */
  @FunctionalInterface
  interface Query<R> extends Serializable {
    /**
     * Runs here or on an executor.
     *
     * @param snapshot of the regions, without its own list of regions
     * @throws JobException bad input, when a file is missing or damaged; outside, when storage
     *     fails
     */
    R run(Snapshot snapshot, List<SnapshotRegion> regions);
  }

  /**
   * The result of a query about some regions.
   *
   * @param first number of the first region
   */
  record Part<R>(int first, R result) implements Serializable {}

  /**
   * Runs a query about all regions.
   *
   * @param what the work, for Spark's page and progress bar
   * @param parts called on the driver, one at a time, in any order
   * @throws JobException as {@link Query#run}
   */
  <R> void run(String what, List<SnapshotRegion> regions, Query<R> query, Consumer<Part<R>> parts) {
    int files = count(regions);
    if (files <= driverFiles) {
      parts.accept(new Part<>(0, query.run(data, regions)));
      return;
    }
    spark.setJobGroup("regions-" + UUID.randomUUID(), what + " " + files + " HFiles", true);
    Broadcast<SerializableConfiguration> conf =
        spark.broadcast(new SerializableConfiguration(data.conf()));
    try {
      RegionTask<R> task = RegionTask.of(data, conf, query);
      List<RegionTask.Batch> batches = batches(regions);
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () -> PartitionJobs.run(spark, batches, task, parts),
          () -> false);
    } finally {
      spark.clearJobGroup();
      BroadcastRelease.release(conf);
    }
  }

  private static int count(List<SnapshotRegion> regions) {
    return regions.stream().mapToInt(region -> region.storeFiles().size()).sum();
  }

  private List<RegionTask.Batch> batches(List<SnapshotRegion> regions) {
    List<RegionTask.Batch> batches = new ArrayList<>();
    List<RegionTask.Region> batch = new ArrayList<>();
    int files = 0;
    for (int i = 0; i < regions.size(); i++) {
      batch.add(RegionTask.Region.of(regions.get(i)));
      files += regions.get(i).storeFiles().size();
      if (files >= taskFiles || i + 1 == regions.size()) {
        batches.add(new RegionTask.Batch(i + 1 - batch.size(), batch));
        batch = new ArrayList<>();
        files = 0;
      }
    }
    return batches;
  }
}
