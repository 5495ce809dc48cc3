package io.tsdbsuite.rollup.plan;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task: a range of one region, or of several that hold little of the window. If
 * days are rolled up and a region border cuts a day, also the rest of that day in the next regions.
 *
 * @param index number of the partition in the plan, from 0
 * @param parts at least one, in row order, without overlap
 * @param windowBytes estimated compressed bytes of the blocks with rows of the window
 * @param late the changed rows outside the window that the task reads; null for a partition of the
 *     window, which reads all of its rows
 */
public record RollupPartition(
    int index, List<RegionPart> parts, long windowBytes, @Nullable ChangedRowSet late)
    implements Serializable {

  /** A partition of the window. */
  public RollupPartition(int index, List<RegionPart> parts, long windowBytes) {
    this(index, parts, windowBytes, null);
  }

  /** HBase's encoded name of the first region. */
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
