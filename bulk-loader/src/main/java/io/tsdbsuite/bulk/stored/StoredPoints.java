package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.format.row.AppendCell;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.jspecify.annotations.Nullable;

/** The points of a stored row as a TSD reads them; reused row after row. */
final class StoredPoints {
  private final RowMerger merger;
  private final RowName names;
  private final List<Cell> pointCells = new ArrayList<>();
  private PointBuffer points = new PointBuffer();
  private @Nullable Cell append;

  StoredPoints(StorageSchema schema, RowName names) {
    this.merger = new RowMerger(schema);
    this.names = names;
  }

  /**
   * Decodes a row.
   *
   * @throws JobException when a TSD could not read it, or could read it in more than one way
   */
  void decode(byte[] key, List<Cell> cells) {
    merger.reset();
    pointCells.clear();
    append = null;
    try {
      for (Cell cell : cells) {
        add(cell);
      }
      points = merger.merge();
    } catch (RowException e) {
      throw JobException.badInput(
          "%s: the row in the table must be repaired first (tsdb fsck): %s"
              .formatted(names.row(key), e.getMessage()),
          e);
    }
    if (merger.emptyValues() > 0) {
      throw JobException.badInput(
          ("%s: the row in the table must be repaired first (tsdb fsck): a point cell must"
                  + " have a value, found %s without")
              .formatted(names.row(key), merger.emptyValues()));
    }
  }

  private void add(Cell cell) throws RowException {
    merger.add(
        cell.getQualifierArray(),
        cell.getQualifierOffset(),
        cell.getQualifierLength(),
        cell.getValueArray(),
        cell.getValueOffset(),
        cell.getValueLength(),
        cell.getTimestamp());
    switch (ColumnKind.of(
        cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())) {
      case APPEND -> {
        append = cell;
        pointCells.add(cell);
      }
      case SECONDS_POINT, MILLIS_POINT, COMPACTED -> pointCells.add(cell);
      default -> {
        // Annotations, histograms and unknown columns hold no points.
      }
    }
  }

  /** The points, ascending, each instant once; valid until the next row. */
  PointBuffer points() {
    return points;
  }

  /** The cells that they come from. */
  List<Cell> pointCells() {
    return pointCells;
  }

  /** The column of a TSD in append mode, null if there is none. */
  @Nullable Cell append() {
    return append;
  }

  /** Whether the row has an append column: {@link AppendCell}. */
  boolean hasAppend() {
    return append != null;
  }
}
