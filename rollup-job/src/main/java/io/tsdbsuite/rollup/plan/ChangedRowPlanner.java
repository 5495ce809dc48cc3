package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Divides the changed rows among tasks. A row is looked up in every salt bucket, because a part of
 * its hour may be in another bucket than that of its key. Tasks find the rows through the file
 * indexes and read single blocks, so the cost of a row is one block of each bucket.
 */
public final class ChangedRowPlanner {
  private static final long ROW_BYTES = 64 << 10;
  private static final int HOURS = 24;

  private final StorageSchema schema;
  private final RowKey rowKey;
  private final int hours;
  private final int buckets;
  private final long partitionBytes;

  /**
   * @param wholeDays whether the entries are days
   * @param partitionBytes approximate limit of the bytes that a partition reads in one bucket
   */
  public ChangedRowPlanner(StorageSchema schema, boolean wholeDays, long partitionBytes) {
    this.schema = schema;
    this.rowKey = new RowKey(schema);
    this.hours = wholeDays ? HOURS : 1;
    this.buckets = schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
    this.partitionBytes = partitionBytes;
  }

  /** A region with all of its files. */
  public record RegionWithFiles(SnapshotRegion region, List<SnapshotFile> files) {}

  /**
   * Makes the partitions.
   *
   * @param regions all regions of the snapshot that can contain one of the rows, in row order
   * @param rows without salt
   * @param first the number of the first partition
   */
  public List<RollupPartition> partitions(
      List<RegionWithFiles> regions, ChangedRowSet rows, int first) {
    int entries = (int) Math.max(1, Math.min(rows.size(), partitionBytes / ROW_BYTES / hours));
    List<RollupPartition> partitions = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += entries) {
      int to = Math.min(rows.size(), from + entries);
      ChangedRowSetBuilder some = new ChangedRowSetBuilder(schema.withoutSalt(), hours > 1);
      for (int entry = from; entry < to; entry++) {
        some.add(rows, entry);
      }
      ChangedRowSet late = some.build();
      List<RegionPart> parts = parts(regions, late);
      if (parts.isEmpty()) {
        throw new IllegalStateException("no region has files for rows that have changed");
      }
      long bytes = ROW_BYTES * late.size() * hours;
      partitions.add(new RollupPartition(first + partitions.size(), parts, bytes, late, true));
    }
    return partitions;
  }

  private List<RegionPart> parts(List<RegionWithFiles> regions, ChangedRowSet late) {
    byte[] first = late.key(0);
    byte[] last = first;
    for (int entry = 0; entry < late.size(); entry++) {
      last = RowRanges.later(last, late.row(entry, hours - 1));
    }
    byte[] stop = Arrays.copyOf(last, last.length + 1);
    List<RegionPart> parts = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] start = RowRanges.start(rowKey, bucket, first);
      byte[] end = RowRanges.stop(rowKey, bucket, stop);
      for (int i : regionsOf(regions, late, bucket, region(regions, start), region(regions, end))) {
        RegionWithFiles region = regions.get(i);
        byte[] from = RowRanges.later(start, region.region().startKey());
        byte[] to = RowRanges.earlier(end, region.region().endKey());
        boolean some = to.length == 0 || Arrays.compareUnsigned(from, to) < 0;
        if (some && !region.files().isEmpty()) {
          parts.add(new RegionPart(region.region().encodedName(), from, to, region.files(), false));
        }
      }
    }
    return parts;
  }

  /**
   * The regions that can hold a row of a bucket.
   *
   * @param first region of the first row
   * @param last region of the last row
   */
  private Set<Integer> regionsOf(
      List<RegionWithFiles> regions, ChangedRowSet late, int bucket, int first, int last) {
    Set<Integer> some = new TreeSet<>();
    if (first == last) {
      some.add(first);
    } else {
      for (int entry = 0; entry < late.size(); entry++) {
        for (int hour = 0; hour < hours; hour++) {
          some.add(region(regions, RowRanges.start(rowKey, bucket, late.row(entry, hour))));
        }
      }
    }
    some.remove(-1);
    return some;
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
}
