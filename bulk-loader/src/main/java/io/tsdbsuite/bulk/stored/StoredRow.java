package io.tsdbsuite.bulk.stored;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/** A stored row: the cells that readers see, and the delete markers. */
public final class StoredRow {
  private final List<Cell> cells;
  private final List<Cell> markers;

  StoredRow(List<Cell> cells, List<Cell> markers) {
    this.cells = cells;
    this.markers = markers;
  }

  /** The newest version of each cell of family {@code t}, ascending by qualifier. */
  List<Cell> cells() {
    return cells;
  }

  /**
   * The delete marker that would hide such a cell until a major compaction, null if none does.
   *
   * @param stamp timestamp of the cell, milliseconds
   */
  @Nullable Cell hides(byte[] qualifier, long stamp) {
    for (Cell marker : markers) {
      boolean hides =
          switch (marker.getType()) {
            case DeleteFamily -> stamp <= marker.getTimestamp();
            case DeleteFamilyVersion -> stamp == marker.getTimestamp();
            case DeleteColumn ->
                stamp <= marker.getTimestamp() && CellUtil.matchingQualifier(marker, qualifier);
            case Delete ->
                stamp == marker.getTimestamp() && CellUtil.matchingQualifier(marker, qualifier);
            default -> false;
          };
      if (hides) {
        return marker;
      }
    }
    return null;
  }
}
