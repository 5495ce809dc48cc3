package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Divides regions among partitions, by the bytes that they have in the window. A partition never
 * reaches over a region's end, unless days are rolled up: then no day of a metric in a salt bucket
 * may be in two partitions, and where a region's border cuts one, the partition before the border
 * takes the rest of that day.
 *
 * <pre>
 *   days       |--- m1 d1 ---|--- m1 d2 ---|--- m2 d1 ---|--- m2 d2 ---|
 *   regions    |---------- r1 --------|-- r2 --|---------- r3 ---------|
 *   partitions |----- 0 -----| 1: r1, r2   | 2: r2, r3   |----- 3 -----|
 * </pre>
 *
 * For one use.
 */
final class RegionDivider {
  private final RowWindow window;
  private final boolean wholeDays;
  private final long partitionBytes;
  private final List<RollupPartition> partitions = new ArrayList<>();

  /** The partition that takes the rest of a day from the next regions; empty when none does. */
  private final List<RegionPart> open = new ArrayList<>();

  private long openBytes;

  /** Where that day ends, exclusive; null when that is the end of the table. */
  private byte[] openEnd;

  /**
   * @param partitionBytes a region with more bytes than this in the window is divided; at least 1
   */
  RegionDivider(RowWindow window, boolean wholeDays, long partitionBytes) {
    this.window = window;
    this.wholeDays = wholeDays;
    this.partitionBytes = partitionBytes;
  }

  /**
   * Makes the partitions.
   *
   * @param regions in row order; those that cannot have rows of the window may be left out
   */
  List<RollupPartition> divide(List<RegionExtent> regions) {
    for (RegionExtent region : regions) {
      byte[] start = region.region().startKey();
      if (!open.isEmpty()) {
        start = takeRestOfDay(region);
      }
      if (start != null && !region.isEmpty()) {
        divide(region, start);
      }
    }
    close();
    return List.copyOf(partitions);
  }

  /**
   * Gives a region's first rows to the open partition.
   *
   * @return where the region's other rows begin; null when there are none in the window
   */
  private byte[] takeRestOfDay(RegionExtent region) {
    byte[] start = region.region().startKey();
    byte[] end = region.region().endKey();
    if (openEnd != null && Arrays.compareUnsigned(start, openEnd) >= 0) {
      close();
      return start;
    }
    int order = compareEnds(end);
    byte[] stop = order <= 0 ? end : openEnd;
    RegionPart head = region.head(stop);
    if (!head.files().isEmpty()) {
      open.add(head);
      openBytes += bytes(region, start, stop);
    }
    if (order < 0) {
      return null;
    }
    byte[] rest = openEnd;
    close();
    return order > 0 && window.intersects(rest, end) ? rest : null;
  }

  /** Compares a region's end with that of the open day; none is after the end of the table. */
  private int compareEnds(byte[] end) {
    if (openEnd == null) {
      return end.length == 0 ? 0 : -1;
    }
    return end.length == 0 ? 1 : Arrays.compareUnsigned(end, openEnd);
  }

  private static long bytes(RegionExtent region, byte[] from, byte[] to) {
    return region.stretches().stream()
        .filter(stretch -> Arrays.compareUnsigned(stretch.row(), from) >= 0)
        .filter(stretch -> to.length == 0 || Arrays.compareUnsigned(stretch.row(), to) < 0)
        .mapToLong(Stretch::bytes)
        .sum();
  }

  private void divide(RegionExtent region, byte[] from) {
    byte[] start = from;
    byte[] border = from;
    long beforeBorder = 0;
    long sinceBorder = 0;
    for (Stretch stretch : region.stretches()) {
      byte[] next = border(stretch.row());
      if (Arrays.compareUnsigned(next, border) > 0) {
        border = next;
        beforeBorder += sinceBorder;
        sinceBorder = 0;
        if (beforeBorder >= partitionBytes) {
          add(List.of(region.part(start, border)), beforeBorder);
          start = border;
          beforeBorder = 0;
        }
      }
      if (Arrays.compareUnsigned(stretch.row(), from) >= 0) {
        sinceBorder += stretch.bytes();
      }
    }
    byte[] end = region.region().endKey();
    RegionPart last = region.part(start, end);
    if (wholeDays && end.length > 0 && window.cutsDay(end)) {
      open.add(last);
      openBytes = beforeBorder + sinceBorder;
      openEnd = window.endOfDay(end);
    } else {
      add(List.of(last), beforeBorder + sinceBorder);
    }
  }

  /** Where a partition may begin that has a block: with it, or with its day. */
  private byte[] border(byte[] row) {
    if (!wholeDays) {
      return row;
    }
    byte[] day = window.startOfDay(row);
    return Arrays.compareUnsigned(day, row) < 0 ? day : row;
  }

  private void close() {
    if (!open.isEmpty()) {
      add(List.copyOf(open), openBytes);
    }
    open.clear();
    openBytes = 0;
    openEnd = null;
  }

  private void add(List<RegionPart> parts, long bytes) {
    partitions.add(new RollupPartition(partitions.size(), parts, bytes));
  }
}
