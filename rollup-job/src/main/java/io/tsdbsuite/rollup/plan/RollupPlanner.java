package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Selects the input and divides it among tasks. Regions outside the window are skipped. For the
 * other regions the planner reads the HFile indexes, skips files without rows of the window, and
 * divides large regions by the distribution of their data.
 *
 * @param wholeDays whether no day of a metric may be in two partitions
 * @param partitionBytes a region with more bytes than this in the window is divided; at least 1
 * @param merged schema of the table if the rows of all salt buckets are merged, else null
 */
public record RollupPlanner(
    Snapshot snapshot,
    RowWindow window,
    boolean wholeDays,
    long partitionBytes,
    @Nullable StorageSchema merged) {
  /** A planner for salt buckets that are read one by one. */
  public RollupPlanner(
      Snapshot snapshot, RowWindow window, boolean wholeDays, long partitionBytes) {
    this(snapshot, window, wholeDays, partitionBytes, null);
  }

  /** Reads the extents of regions' files, here or on executors. */
  @FunctionalInterface
  public interface ExtentReader {
    /**
     * Returns the extents of the files of each region, in the order of the regions.
     *
     * @throws JobException bad input, when a file is missing, truncated or has no readable index;
     *     outside, when storage fails
     */
    List<List<FileExtent>> read(List<SnapshotRegion> regions);
  }

  /**
   * Makes the plan with threads of this process.
   *
   * @throws JobException as {@link ExtentReader#read}
   */
  public RollupPlan plan() {
    return plan((file, index) -> {});
  }

  /**
   * Makes the plan with threads of this process.
   *
   * @param opened receives the index of each opened file, from several threads
   * @throws JobException as {@link ExtentReader#read}
   */
  public RollupPlan plan(BiConsumer<SnapshotFile, HFileIndex> opened) {
    RegionExtents extents = new RegionExtents(snapshot, window, partitionBytes, opened);
    return plan(regions -> RegionTasks.run(snapshot.name(), regions, extents::read));
  }

  /**
   * Makes the plan.
   *
   * @throws JobException as {@link ExtentReader#read}
   */
  public RollupPlan plan(ExtentReader reader) {
    List<SnapshotRegion> candidates =
        snapshot.regions().stream()
            .filter(region -> window.intersects(region.startKey(), region.endKey()))
            .toList();
    List<List<FileExtent>> files = reader.read(candidates);
    List<RegionExtent> extents = new ArrayList<>(candidates.size());
    for (int i = 0; i < candidates.size(); i++) {
      extents.add(new RegionExtent(candidates.get(i), files.get(i)));
    }
    return summed(
        candidates.size(),
        extents,
        merged == null
            ? new RegionDivider(window, wholeDays, partitionBytes).divide(extents)
            : new BucketDivider(merged, wholeDays, partitionBytes).divide(extents));
  }

  private RollupPlan summed(
      int candidates, List<RegionExtent> extents, List<RollupPartition> partitions) {
    int files = 0;
    int filesInWindow = 0;
    long fileBytes = 0;
    long windowBytes = 0;
    long rows = 0;
    for (RegionExtent extent : extents) {
      for (FileExtent file : extent.files()) {
        files++;
        filesInWindow += file.stretches().isEmpty() ? 0 : 1;
        fileBytes += file.file().length();
        windowBytes += file.windowBytes();
        rows += file.estimatedRows();
      }
    }
    return new RollupPlan(
        snapshot.regions().size(),
        candidates,
        files,
        filesInWindow,
        fileBytes,
        windowBytes,
        rows,
        partitions);
  }
}
