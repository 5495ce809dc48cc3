package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Divides regions into partitions by their bytes in the window. If days are rolled up, a day of a
 * metric in a salt bucket must not be in two partitions, because its points are added from left to
 * right by one accumulator. For one use.
 *
 * <pre>
 *   days       |--- m1 d1 ---|--- m1 d2 ---|--- m2 d1 ---|--- m2 d2 ---|
 *   regions    |---------- r1 --------|-- r2 --|---------- r3 ---------|
 *   partitions |----- 0 -----| 1: r1, r2   | 2: r2, r3   |----- 3 -----|
 * </pre>
 *
 * <ol>
 *   <li>A region is divided at the first border behind the bytes that a partition may have: at a
 *       block's first row, or with days at the start of the day of that row.
 *   <li>If its end cuts a day, its last part stays open and takes the head of the next regions, up
 *       to the end of the day. The rest of that region is divided as in step 1.
 *   <li>A partition joins the one before it if both together cost no more than the limit of a
 *       shared one: about half a second of work, or a 512th of the window, at most a partition. An
 *       HFile counts as the bytes that are read in the time of opening it.
 * </ol>
 *
 * <p>The limits do not depend on the number of slots, because a resumed run must make the same
 * partitions.
 */
final class RegionDivider {
  private static final byte[] END_OF_TABLE = {};

  /**
   * Least limit of a shared partition: about half a second of work, beside which the start of a
   * task and of its producer is small.
   */
  private static final long SHARED_BYTES = 32L << 20;

  /**
   * Least number of partitions, for a large cluster, of a window whose shared partitions exceed
   * {@link #SHARED_BYTES}: from 16 GiB on.
   */
  private static final int LEAST_PARTITIONS = 512;

  /**
   * Bytes that a task reads in the time in which it opens an HFile far away; it opens them one
   * after another.
   */
  private static final long FILE_BYTES = 1L << 20;

  private final RowWindow window;
  private final boolean wholeDays;
  private final long partitionBytes;
  private final List<RollupPartition> partitions = new ArrayList<>();

  /** Limit of the cost of a shared partition, in bytes read. */
  private long sharedBytes;

  /** The partition that takes the rest of a day from the next regions; empty if there is none. */
  private final List<RegionPart> open = new ArrayList<>();

  private long openBytes;

  /** Cost of the last partition, in bytes read. */
  private long lastCost;

  /** End of that day, exclusive; empty for the end of the table. */
  private byte[] openEnd = END_OF_TABLE;

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
   * @param regions in row order; regions that cannot contain rows of the window may be omitted
   */
  List<RollupPartition> divide(List<RegionExtent> regions) {
    long all = regions.stream().mapToLong(RegionDivider::cost).sum();
    sharedBytes = Math.min(partitionBytes, Math.max(SHARED_BYTES, all / LEAST_PARTITIONS));
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

  private static long cost(RegionExtent region) {
    return region.files().stream()
        .mapToLong(file -> file.stretches().isEmpty() ? 0 : file.windowBytes() + FILE_BYTES)
        .sum();
  }

  /**
   * Adds a region's first rows to the open partition.
   *
   * @return start of the region's remaining rows; null if the window has none
   */
  private byte @Nullable [] takeRestOfDay(RegionExtent region) {
    byte[] start = region.region().startKey();
    byte[] end = region.region().endKey();
    if (openEnd.length > 0 && Arrays.compareUnsigned(start, openEnd) >= 0) {
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

  /** Compares a region's end with the end of the open day; the end of the table is the largest. */
  private int compareEnds(byte[] end) {
    if (openEnd.length == 0) {
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
      openEnd = Objects.requireNonNullElse(window.endOfDay(end), END_OF_TABLE);
    } else {
      add(List.of(last), beforeBorder + sinceBorder);
    }
  }

  /**
   * Returns the start of a partition at a block: the block's first row, or the start of its day.
   */
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
    openEnd = END_OF_TABLE;
  }

  private void add(List<RegionPart> parts, long bytes) {
    int files = parts.stream().mapToInt(part -> part.files().size()).sum();
    long cost = bytes + files * FILE_BYTES;
    if (!partitions.isEmpty() && lastCost + cost <= sharedBytes) {
      RollupPartition last = partitions.remove(partitions.size() - 1);
      List<RegionPart> all = new ArrayList<>(last.parts());
      all.addAll(parts);
      partitions.add(new RollupPartition(last.index(), all, last.windowBytes() + bytes));
      lastCost += cost;
    } else {
      partitions.add(new RollupPartition(partitions.size(), parts, bytes));
      lastCost = cost;
    }
  }
}
