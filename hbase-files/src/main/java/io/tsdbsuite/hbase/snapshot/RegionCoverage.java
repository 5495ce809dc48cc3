package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.hbase.StorageException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** Checks that the live regions of a manifest cover the table without hole or overlap. */
final class RegionCoverage {
  private RegionCoverage() {}

  /**
   * Whether a region has rows of its own. A split parent stays in the manifest until the catalog
   * janitor has run; its daughters have all of its rows. The region of the MOB files has none.
   */
  static boolean isLive(RegionInfo region) {
    return !region.isSplit()
        && region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
        && !MobUtils.isMobRegionInfo(region);
  }

  /**
   * Sorts the regions by key and checks them. A hole would silently lose rows, an overlap would
   * read rows twice.
   *
   * @param snapshot the snapshot's name
   * @param regions the live regions
   * @throws StorageException bad input, when they do not cover the table
   */
  static void require(String snapshot, List<SnapshotRegion> regions) {
    regions.sort(Comparator.comparing(SnapshotRegion::startKey, Bytes.BYTES_COMPARATOR));
    byte[] expected = HConstants.EMPTY_START_ROW;
    boolean atStart = true;
    for (SnapshotRegion region : regions) {
      // The end of the table is as empty as its start, and no region comes after it.
      boolean afterEnd = !atStart && expected.length == 0;
      if (afterEnd || !Arrays.equals(region.startKey(), expected)) {
        throw problem(snapshot, expected, region);
      }
      atStart = false;
      expected = region.endKey();
    }
    if (regions.isEmpty() || expected.length != 0) {
      throw StorageException.badInput(
          ("snapshot '%s' is corrupt: its regions end at row %s and not at the end of the"
                  + " table")
              .formatted(snapshot, Bytes.toStringBinary(expected)),
          null);
    }
  }

  private static StorageException problem(String snapshot, byte[] expected, SnapshotRegion region) {
    return StorageException.badInput(
        ("snapshot '%s' is corrupt: region %s starts at row %s where the region before it"
                + " ends at %s; regions must join without hole or overlap")
            .formatted(
                snapshot,
                region.encodedName(),
                Bytes.toStringBinary(region.startKey()),
                Bytes.toStringBinary(expected)),
        null);
  }
}
