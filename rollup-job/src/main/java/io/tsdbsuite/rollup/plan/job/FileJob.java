package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner.RegionWithFiles;
import io.tsdbsuite.rollup.plan.RegionTasks;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/** Finds the HFiles of regions; tasks do if there are many. */
public final class FileJob {
  private final RegionJob job;

  /** A job over the snapshot of the data table. */
  public FileJob(JavaSparkContext spark, Snapshot data) {
    this(new RegionJob(spark, data));
  }

  FileJob(RegionJob job) {
    this.job = job;
  }

  /**
   * Finds the HFiles of each region, and checks their lengths.
   *
   * @return the regions with their files, in the order of {@code regions}
   * @throws JobException bad input, when a file is missing or has another length; outside, when
   *     storage fails
   */
  public List<RegionWithFiles> files(List<SnapshotRegion> regions) {
    RegionResults<List<SnapshotFile>> found = new RegionResults<>(regions.size());
    job.run("find", regions, FileJob::resolve, part -> found.add(part.first(), part.result()));
    List<RegionWithFiles> all = new ArrayList<>(regions.size());
    List<List<SnapshotFile>> files = found.all();
    for (int i = 0; i < regions.size(); i++) {
      all.add(new RegionWithFiles(regions.get(i), files.get(i)));
    }
    return all;
  }

  private static List<List<SnapshotFile>> resolve(Snapshot snapshot, List<SnapshotRegion> regions) {
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    return RegionTasks.run(snapshot.name(), regions, resolver::resolve);
  }
}
