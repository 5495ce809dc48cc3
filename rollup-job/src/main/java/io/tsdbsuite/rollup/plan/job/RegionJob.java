package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.BroadcastRelease;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner.RegionWithFiles;
import io.tsdbsuite.rollup.plan.FileExtent;
import io.tsdbsuite.rollup.plan.KeyEvidence;
import io.tsdbsuite.rollup.plan.RegionExtents;
import io.tsdbsuite.rollup.plan.RegionTasks;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.spark.SparkFailures;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Asks storage about the HFiles of a snapshot: here if they are few, otherwise in tasks. Several
 * threads of a task ask at the same time, since they mostly wait.
 *
 * @param data snapshot of the data table
 * @param taskFiles about how many files a task asks about
 * @param driverFiles up to this number the driver asks by itself; tests have fewer files
 */
public record RegionJob(JavaSparkContext spark, Snapshot data, int taskFiles, int driverFiles) {
  /** A few seconds of a task, even if each request to storage takes 100 ms. */
  private static final int TASK_FILES = 250;

  /** Up to this number of files the driver asks by itself, without the start of tasks. */
  private static final int DRIVER_FILES = 2 * TASK_FILES;

  /** A job over the snapshot of the data table. */
  public RegionJob(JavaSparkContext spark, Snapshot data) {
    this(spark, data, TASK_FILES, DRIVER_FILES);
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
   * The results of regions, which come in parts of consecutive regions in any order.
   *
   * @param all one for each region; empty if it has not come yet
   */
  record Results<T>(List<Optional<T>> all) {
    Results(int regions) {
      this(new ArrayList<>(Collections.nCopies(regions, Optional.empty())));
    }

    void add(int first, List<T> part) {
      for (int i = 0; i < part.size(); i++) {
        all.set(first + i, Optional.of(part.get(i)));
      }
    }

    /**
     * In the order of the regions.
     *
     * @throws IllegalStateException when that of a region is missing
     */
    List<T> inOrder() {
      int missing = all.indexOf(Optional.empty());
      if (missing >= 0) {
        throw new IllegalStateException(
            "each of " + all.size() + " regions must have a result, found none of " + missing);
      }
      return all.stream().map(Optional::orElseThrow).toList();
    }
  }

  /**
   * Makes the plan.
   *
   * @param keys gets what the keys of the opened files tell
   * @throws JobException as {@link RollupPlanner.ExtentReader#read}
   */
  public RollupPlan plan(RollupPlanner planner, KeyEvidence keys) {
    return planner.plan(
        regions -> {
          Results<List<FileExtent>> found = new Results<>(regions.size());
          run(
              "read the indexes of",
              regions,
              new IndexQuery(planner.window(), planner.partitionBytes(), keys.none()),
              part -> {
                keys.add(part.result().seen());
                found.add(part.first(), part.result().files());
              });
          return found.inOrder();
        });
  }

  /**
   * Finds the HFiles of each region, and checks their lengths.
   *
   * @return the regions with their files, in the order of {@code regions}
   * @throws JobException bad input, when a file is missing or has another length; outside, when
   *     storage fails
   */
  public List<RegionWithFiles> files(List<SnapshotRegion> regions) {
    Results<List<SnapshotFile>> found = new Results<>(regions.size());
    run("find", regions, RegionJob::resolve, part -> found.add(part.first(), part.result()));
    List<RegionWithFiles> all = new ArrayList<>(regions.size());
    List<List<SnapshotFile>> files = found.inOrder();
    for (int i = 0; i < regions.size(); i++) {
      all.add(new RegionWithFiles(regions.get(i), files.get(i)));
    }
    return all;
  }

  private static List<List<SnapshotFile>> resolve(Snapshot snapshot, List<SnapshotRegion> regions) {
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    return RegionTasks.run(snapshot.name(), regions, resolver::resolve);
  }

  /**
   * The extents of the files of some regions.
   *
   * @param files of each region
   * @param seen what the keys of the files tell
   */
  private record Extents(List<List<FileExtent>> files, KeyEvidence seen) implements Serializable {}

  /**
   * Reads the indexes of the files of some regions.
   *
   * @param keys rules of the schema; it has seen nothing
   */
  private record IndexQuery(RowWindow window, long partitionBytes, KeyEvidence keys)
      implements Query<Extents> {
    private static final long serialVersionUID = 1L;

    @Override
    public Extents run(Snapshot snapshot, List<SnapshotRegion> regions) {
      KeyEvidence seen = keys.none();
      RegionExtents extents = new RegionExtents(snapshot, window, partitionBytes, seen::look);
      return new Extents(RegionTasks.run(snapshot.name(), regions, extents::read), seen);
    }
  }

  /**
   * Runs a query about all regions.
   *
   * @param what the work, for Spark's page and progress bar
   * @param parts called on the driver, one at a time, in any order
   * @throws JobException as {@link Query#run}
   */
  private <R> void run(
      String what, List<SnapshotRegion> regions, Query<R> query, Consumer<Part<R>> parts) {
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
