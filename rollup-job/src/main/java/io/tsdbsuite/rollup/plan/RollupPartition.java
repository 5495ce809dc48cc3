package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task: a range of one region, or of several that hold little of the window. If
 * days are rolled up and a region border cuts a day, also the rest of that day in the next regions.
 *
 * @param index number of the partition in the plan, from 0
 * @param parts at least one, in row order, without overlap
 * @param windowBytes estimated compressed bytes of the blocks with rows of the window
 * @param late the changed rows outside the window that the task reads, without salt; null for a
 *     partition of the window, which reads all of its rows
 * @param merged whether the task merges the rows of all salt buckets, by their keys without salt;
 *     then each part is in one bucket
 */
public record RollupPartition(
    int index,
    List<RegionPart> parts,
    long windowBytes,
    @Nullable ChangedRowSet late,
    boolean merged)
    implements Serializable {

  /** A partition of the window. */
  public RollupPartition(int index, List<RegionPart> parts, long windowBytes) {
    this(index, parts, windowBytes, null, false);
  }

  /** The parts by salt bucket, in row order; without {@link #merged} all together. */
  public List<List<RegionPart>> buckets(RowKey rowKey) {
    if (!merged || rowKey.metricOffset() == 0) {
      return List.of(parts);
    }
    Map<ByteBuffer, List<RegionPart>> buckets = new LinkedHashMap<>();
    for (RegionPart part : parts) {
      ByteBuffer salt = ByteBuffer.wrap(Arrays.copyOf(part.startRow(), rowKey.metricOffset()));
      buckets.computeIfAbsent(salt, key -> new ArrayList<>()).add(part);
    }
    return List.copyOf(buckets.values());
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
