package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Divides the changed rows among tasks. Tasks find these rows through the file indexes and read
 * single blocks, so the cost of a row is one block.
 */
public final class ChangedRowPlanner {
  private static final long ROW_BYTES = 64 << 10;
  private static final int HOURS = 24;

  private final StorageSchema schema;
  private final boolean wholeDays;
  private final long to;
  private final long partitionBytes;

  /**
   * @param wholeDays whether no day of a metric may be in two partitions
   * @param to all rows have times before it
   * @param partitionBytes approximate limit of the bytes that a partition reads
   */
  public ChangedRowPlanner(StorageSchema schema, boolean wholeDays, long to, long partitionBytes) {
    this.schema = schema;
    this.wholeDays = wholeDays;
    this.to = to;
    this.partitionBytes = partitionBytes;
  }

  /** A region with all of its files. */
  public record RegionWithFiles(SnapshotRegion region, List<SnapshotFile> files) {}

  /**
   * Makes the partitions.
   *
   * @param regions all regions of the snapshot that can contain one of the rows, in row order
   * @param first the number of the first partition
   */
  public List<RollupPartition> partitions(
      List<RegionWithFiles> regions, ChangedRowSet rows, int first) {
    List<TreeSet<byte[]>> rowsByRegion = new ArrayList<>();
    regions.forEach(region -> rowsByRegion.add(new TreeSet<>(Arrays::compareUnsigned)));
    for (int entry = 0; entry < rows.size(); entry++) {
      int last = -1;
      for (int hour = 0; hour < hoursPerEntry(); hour++) {
        byte[] row = rows.row(entry, hour);
        int region = region(regions, row);
        if (region >= 0 && region != last) {
          rowsByRegion.get(region).add(row);
          last = region;
        }
      }
    }
    List<RegionExtent> extents = new ArrayList<>();
    for (int i = 0; i < regions.size(); i++) {
      extents.add(extent(regions.get(i), rowsByRegion.get(i)));
    }
    List<RollupPartition> ranges =
        new RegionDivider(new RowWindow(schema, 0, to), wholeDays, partitionBytes).divide(extents);
    return withRows(ranges, rows, first);
  }

  private int hoursPerEntry() {
    return wholeDays ? HOURS : 1;
  }

  private static int region(List<RegionWithFiles> regions, byte[] row) {
    int low = 0;
    int high = regions.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(regions.get(middle).region().startKey(), row) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private static RegionExtent extent(RegionWithFiles region, Collection<byte[]> rows) {
    long bytes = Math.max(1, ROW_BYTES / Math.max(1, region.files().size()));
    List<Stretch> stretches = rows.stream().map(row -> new Stretch(row, bytes)).toList();
    return new RegionExtent(
        region.region(),
        region.files().stream().map(file -> extent(file, rows.size() * bytes, stretches)).toList());
  }

  /** An extent so small in its file that storage is not asked for the whole file. */
  private static FileExtent extent(SnapshotFile file, long bytes, List<Stretch> stretches) {
    return new FileExtent(file, Long.MAX_VALUE >> 20, bytes, stretches.size(), stretches);
  }

  /** Assigns each partition its rows. */
  private List<RollupPartition> withRows(
      List<RollupPartition> ranges, ChangedRowSet rows, int first) {
    List<ChangedRowSetBuilder> builders = new ArrayList<>();
    ranges.forEach(range -> builders.add(new ChangedRowSetBuilder(schema, wholeDays)));
    for (int entry = 0; entry < rows.size(); entry++) {
      int partition = -1;
      // A day is in one partition, but its first hours may be in a region without files.
      for (int hour = 0; hour < hoursPerEntry() && partition < 0; hour++) {
        partition = partition(ranges, rows.row(entry, hour));
      }
      if (partition < 0) {
        throw new IllegalStateException("a row that has changed is in no partition");
      }
      builders.get(partition).add(rows, entry);
    }
    List<RollupPartition> partitions = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      if (builders.get(i).size() > 0) {
        RollupPartition range = ranges.get(i);
        partitions.add(
            new RollupPartition(
                first + partitions.size(),
                range.parts(),
                range.windowBytes(),
                builders.get(i).build()));
      }
    }
    return partitions;
  }

  private static int partition(List<RollupPartition> ranges, byte[] row) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(ranges.get(middle).startRow(), row) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return -1;
    }
    byte[] stop = ranges.get(low - 1).stopRow();
    return stop.length == 0 || Arrays.compareUnsigned(row, stop) < 0 ? low - 1 : -1;
  }
}
