package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.format.snapshot.RegionRanges;
import io.tsdbsuite.hbase.StorageException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Checks that the live regions of a manifest cover the table, by {@link RegionRanges}. */
final class RegionCoverage {
  private RegionCoverage() {}

  /** Whether a region has rows of its own. */
  static boolean isLive(RegionInfo region) {
    return RegionRanges.isLive(
        region.getRegionId(), region.getStartKey(), region.isSplit(), region.getReplicaId());
  }

  /**
   * Sorts the regions by key and checks them.
   *
   * @param snapshot the snapshot's name
   * @param regions the live regions
   * @throws StorageException bad input, when they do not cover the table
   */
  static void require(String snapshot, List<SnapshotRegion> regions) {
    regions.sort(Comparator.comparing(SnapshotRegion::startKey, RegionRanges.BY_KEY));
    OptionalInt problem =
        RegionRanges.firstProblem(
            regions.stream().map(SnapshotRegion::startKey).toList(),
            regions.stream().map(SnapshotRegion::endKey).toList());
    if (problem.isEmpty()) {
      return;
    }
    int index = problem.getAsInt();
    byte[] expected = index == 0 ? HConstants.EMPTY_START_ROW : regions.get(index - 1).endKey();
    if (index < regions.size()) {
      throw problem(snapshot, expected, regions.get(index));
    }
    throw StorageException.badInput(
        ("snapshot '%s' is corrupt: its regions end at row %s and not at the end of the" + " table")
            .formatted(snapshot, Bytes.toStringBinary(expected)),
        null);
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
