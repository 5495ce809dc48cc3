package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.FileExtent;
import io.tsdbsuite.rollup.plan.KeyEvidence;
import io.tsdbsuite.rollup.plan.RegionExtents;
import io.tsdbsuite.rollup.plan.RegionTasks;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/** Makes the plan of a snapshot; tasks read the indexes if it has many HFiles. */
public final class ExtentJob {
  private final RegionJob job;

  /** A job over the snapshot of the data table. */
  public ExtentJob(JavaSparkContext spark, Snapshot data) {
    this(new RegionJob(spark, data));
  }

  ExtentJob(RegionJob job) {
    this.job = job;
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
          RegionResults<List<FileExtent>> found = new RegionResults<>(regions.size());
          job.run(
              "read the indexes of",
              regions,
              new Query(planner.window(), planner.partitionBytes(), keys.none()),
              part -> {
                keys.add(part.result().seen());
                found.add(part.first(), part.result().files());
              });
          return found.all();
        });
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
  private record Query(RowWindow window, long partitionBytes, KeyEvidence keys)
      implements RegionJob.Query<Extents> {
    private static final long serialVersionUID = 1L;

    @Override
    public Extents run(Snapshot snapshot, List<SnapshotRegion> regions) {
      KeyEvidence seen = keys.none();
      RegionExtents extents = new RegionExtents(snapshot, window, partitionBytes, seen::look);
      return new Extents(RegionTasks.run(snapshot.name(), regions, extents::read), seen);
    }
  }
}
