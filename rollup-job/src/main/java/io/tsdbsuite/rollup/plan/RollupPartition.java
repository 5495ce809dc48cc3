package io.tsdbsuite.rollup.plan;

import java.io.Serializable;
import java.util.List;

/**
 * Rows that one task reads: a range of one region; with those behind it, of the next regions, where
 * a region's border cuts a day that is to be rolled up.
 *
 * @param index its number in the plan, from 0
 * @param parts at least one, in the order of their rows, which do not overlap
 * @param windowBytes estimate of the bytes of blocks that have rows of the window, compressed
 * @param late the rows that are read, where these are rows outside the window that have changed;
 *     null where all rows of the window are
 */
public record RollupPartition(
    int index, List<RegionPart> parts, long windowBytes, ChangedRowSet late)
    implements Serializable {

  /** A partition of the window. */
  public RollupPartition(int index, List<RegionPart> parts, long windowBytes) {
    this(index, parts, windowBytes, null);
  }

  /** HBase's encoded name of the region that it begins in. */
  public String region() {
    return parts.get(0).region();
  }

  /** First row, inclusive; empty for the start of the table. */
  public byte[] startRow() {
    return parts.get(0).startRow();
  }

  /** Last row, exclusive; empty for the end of the table. */
  public byte[] stopRow() {
    return parts.get(parts.size() - 1).stopRow();
  }
}
