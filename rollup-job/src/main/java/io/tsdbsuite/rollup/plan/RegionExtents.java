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
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;

/** Reads from the indexes of HFiles which of their blocks are in the window. */
public final class RegionExtents {
  /** A partition ends after a stretch, so its size is exact to this share. */
  private static final int STRETCHES_A_PARTITION = 64;

  private final Snapshot snapshot;
  private final RowWindow window;
  private final long stretchBytes;
  private final BiConsumer<SnapshotFile, HFileIndex> opened;
  private final StoreFileResolver resolver;

  /**
   * Reads nothing yet.
   *
   * @param snapshot of the files; its regions are not used
   * @param partitionBytes size of a partition
   * @param opened receives the index of each opened file, from any thread
   */
  public RegionExtents(
      Snapshot snapshot,
      RowWindow window,
      long partitionBytes,
      BiConsumer<SnapshotFile, HFileIndex> opened) {
    this.snapshot = snapshot;
    this.window = window;
    this.stretchBytes = partitionBytes / STRETCHES_A_PARTITION;
    this.opened = opened;
    this.resolver = new StoreFileResolver(snapshot);
  }

  /**
   * Reads the indexes of a region's files; called by any thread.
   *
   * @throws JobException bad input, when a file is missing, truncated or has no readable index
   * @throws IOException when storage fails
   */
  public List<FileExtent> read(SnapshotRegion region) throws IOException {
    List<FileExtent> extents = new ArrayList<>();
    for (StoreFile storeFile : region.storeFiles()) {
      HFileIndex.Found found = find(region, storeFile);
      opened.accept(found.file(), found.index());
      extents.add(extent(region, found.file(), found.index()));
    }
    return extents;
  }

  private HFileIndex.Found find(SnapshotRegion region, StoreFile storeFile) throws IOException {
    ReadTracker tracker = new ReadTracker();
    try {
      return HFileIndex.find(ReadSource.of(snapshot), resolver, region, storeFile, tracker);
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
      byte[] from = RowRanges.later(first, region.startKey());
      byte[] to = RowRanges.earlier(rowAfter(last), region.endKey());
      if (to.length > 0 && Arrays.compareUnsigned(from, to) >= 0) {
        continue;
      }
      total += entries.get(i).bytes();
      if (window.intersects(from, to)) {
        inWindow += entries.get(i).bytes();
        add(stretches, from, entries.get(i).bytes());
      }
    }
    long rows =
        index.dataBytes() == 0
            ? 0
            : Math.round((double) index.rows() * inWindow / index.dataBytes());
    return new FileExtent(file, total, inWindow, rows, stretches);
  }

  /** Joins a block with the stretch before it, so that a plan of large files stays small. */
  private void add(List<Stretch> stretches, byte[] from, long bytes) {
    int last = stretches.size() - 1;
    if (last >= 0 && stretches.get(last).bytes() + bytes <= stretchBytes) {
      Stretch joined = stretches.get(last);
      stretches.set(last, new Stretch(joined.row(), joined.bytes() + bytes));
    } else {
      stretches.add(new Stretch(from, bytes));
    }
  }

  private static byte[] rowAfter(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }
}
