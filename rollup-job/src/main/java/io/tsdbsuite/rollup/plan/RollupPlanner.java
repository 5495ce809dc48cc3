package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Selects the input and divides it among tasks. Regions outside the window are skipped. For the
 * other regions the planner reads the HFile indexes, skips files without rows of the window, and
 * divides large regions by the distribution of their data.
 */
public final class RollupPlanner {
  private final Snapshot snapshot;
  private final RowWindow window;
  private final boolean wholeDays;
  private final long partitionBytes;
  private final BiConsumer<SnapshotFile, HFileIndex> opened;

  /**
   * @param wholeDays whether no day of a metric may be in two partitions
   * @param partitionBytes a region with more bytes than this in the window is divided; at least 1
   */
  public RollupPlanner(
      Snapshot snapshot, RowWindow window, boolean wholeDays, long partitionBytes) {
    this(snapshot, window, wholeDays, partitionBytes, (file, index) -> {});
  }

  /**
   * As the other constructor, with a callback for file indexes.
   *
   * @param opened receives the index of each opened file, from several threads
   */
  public RollupPlanner(
      Snapshot snapshot,
      RowWindow window,
      boolean wholeDays,
      long partitionBytes,
      BiConsumer<SnapshotFile, HFileIndex> opened) {
    this.snapshot = snapshot;
    this.window = window;
    this.wholeDays = wholeDays;
    this.partitionBytes = partitionBytes;
    this.opened = opened;
  }

  /**
   * Makes the plan.
   *
   * @throws JobException bad input, when a file is missing, truncated or has no readable index;
   *     outside, when storage fails
   */
  public RollupPlan plan() {
    List<SnapshotRegion> candidates =
        snapshot.regions().stream()
            .filter(region -> window.intersects(region.startKey(), region.endKey()))
            .toList();
    List<RegionExtent> extents = extents(candidates);
    List<RollupPartition> partitions =
        new RegionDivider(window, wholeDays, partitionBytes).divide(extents);
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
        candidates.size(),
        files,
        filesInWindow,
        fileBytes,
        windowBytes,
        rows,
        partitions);
  }

  private List<RegionExtent> extents(List<SnapshotRegion> regions) {
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    return RegionTasks.run(snapshot.name(), regions, region -> extent(resolver, region));
  }

  private RegionExtent extent(StoreFileResolver resolver, SnapshotRegion region)
      throws IOException {
    List<FileExtent> extents = new ArrayList<>();
    for (SnapshotFile file : resolver.resolve(region)) {
      HFileIndex index = readIndex(file);
      opened.accept(file, index);
      extents.add(extent(region, file, index));
    }
    return new RegionExtent(region, extents);
  }

  private HFileIndex readIndex(SnapshotFile file) throws IOException {
    ReadTracker tracker = new ReadTracker();
    try {
      return HFileIndex.read(ReadSource.of(snapshot), file, tracker);
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw e;
      }
      throw JobException.badInput(tracker.describe(e), e);
    }
  }

  private FileExtent extent(SnapshotRegion region, SnapshotFile file, HFileIndex index) {
    byte[] lastRow = index.lastRow();
    if (lastRow == null) {
      return new FileExtent(file, 0, 0, 0, List.of());
    }
    List<HFileIndex.Entry> entries = index.entries();
    List<Stretch> stretches = new ArrayList<>();
    long total = 0;
    long inWindow = 0;
    for (int i = 0; i < entries.size(); i++) {
      byte[] first = entries.get(i).row();
      byte[] last = i + 1 < entries.size() ? entries.get(i + 1).row() : lastRow;
      // The row of the next entry may begin in this entry's last block, so it belongs to both.
      byte[] from = later(first, region.startKey());
      byte[] to = earlier(rowAfter(last), region.endKey());
      if (to.length > 0 && Arrays.compareUnsigned(from, to) >= 0) {
        continue;
      }
      total += entries.get(i).bytes();
      if (window.intersects(from, to)) {
        inWindow += entries.get(i).bytes();
        stretches.add(new Stretch(from, entries.get(i).bytes()));
      }
    }
    long rows =
        index.dataBytes() == 0
            ? 0
            : Math.round((double) index.rows() * inWindow / index.dataBytes());
    return new FileExtent(file, total, inWindow, rows, stretches);
  }

  private static byte[] rowAfter(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  private static byte[] later(byte[] row, byte[] startKey) {
    return Arrays.compareUnsigned(row, startKey) >= 0 ? row : startKey;
  }

  private static byte[] earlier(byte[] row, byte[] endKey) {
    return endKey.length == 0 || Arrays.compareUnsigned(row, endKey) <= 0 ? row : endKey;
  }
}
