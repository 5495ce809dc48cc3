package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.plan.FileExtent;
import io.tsdbsuite.rollup.plan.KeyEvidence;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.spark.SparkFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/** Makes the plan of a snapshot with many HFiles: tasks read their indexes. */
public final class ExtentJob {
  /** A few seconds of a task, even if each request to storage takes 100 ms. */
  private static final int TASK_FILES = 250;

  /** Up to this number of files the driver reads by itself, without the start of tasks. */
  private static final int DRIVER_FILES = 2 * TASK_FILES;

  private final JavaSparkContext spark;
  private final Snapshot data;
  private final int taskFiles;
  private final int driverFiles;

  /** A job over the snapshot of the data table. */
  public ExtentJob(JavaSparkContext spark, Snapshot data) {
    this(spark, data, TASK_FILES, DRIVER_FILES);
  }

  /** For tests, which have fewer files. */
  ExtentJob(JavaSparkContext spark, Snapshot data, int taskFiles, int driverFiles) {
    this.spark = spark;
    this.data = data;
    this.taskFiles = taskFiles;
    this.driverFiles = driverFiles;
  }

  /**
   * Makes the plan.
   *
   * @param keys gets what the keys of the opened files tell
   * @throws JobException as {@link RollupPlanner.ExtentReader#read}
   */
  public RollupPlan plan(RollupPlanner planner, KeyEvidence keys) {
    return planner.plan(
        regions ->
            count(regions) <= driverFiles
                ? planner.here(keys::look).read(regions)
                : read(regions, planner, keys));
  }

  private static int count(List<SnapshotRegion> regions) {
    return regions.stream().mapToInt(region -> region.storeFiles().size()).sum();
  }

  private List<List<FileExtent>> read(
      List<SnapshotRegion> regions, RollupPlanner planner, KeyEvidence keys) {
    List<ExtentTask.Regions> batches = batches(regions);
    List<List<FileExtent>> found = new ArrayList<>();
    regions.forEach(region -> found.add(List.of()));
    spark.setJobGroup(
        "plan-" + UUID.randomUUID(), "read the indexes of " + count(regions) + " HFiles", true);
    Broadcast<SerializableConfiguration> conf =
        spark.broadcast(new SerializableConfiguration(data.conf()));
    try {
      ExtentTask task =
          new ExtentTask(
              data.name(),
              data.table(),
              data.flushed(),
              SnapshotFamily.of(data),
              planner.window(),
              planner.partitionBytes(),
              keys.none(),
              conf);
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () ->
              PartitionJobs.run(
                  spark,
                  batches,
                  task,
                  extents -> {
                    keys.add(extents.seen());
                    for (int i = 0; i < extents.files().size(); i++) {
                      found.set(extents.first() + i, extents.files().get(i));
                    }
                  }),
          () -> false);
      return found;
    } finally {
      spark.clearJobGroup();
      free(conf);
    }
  }

  private static void free(Broadcast<SerializableConfiguration> conf) {
    try {
      conf.destroy();
    } catch (RuntimeException e) {
      // Spark was stopped and has freed it; the exception that ends the run must not be hidden.
    }
  }

  private List<ExtentTask.Regions> batches(List<SnapshotRegion> regions) {
    List<ExtentTask.Regions> batches = new ArrayList<>();
    List<ExtentTask.Region> batch = new ArrayList<>();
    int files = 0;
    for (int i = 0; i < regions.size(); i++) {
      batch.add(ExtentTask.Region.of(regions.get(i)));
      files += regions.get(i).storeFiles().size();
      if (files >= taskFiles || i + 1 == regions.size()) {
        batches.add(new ExtentTask.Regions(i + 1 - batch.size(), batch));
        batch = new ArrayList<>();
        files = 0;
      }
    }
    return batches;
  }
}
