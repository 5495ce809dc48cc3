package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.List;
import org.hbase.async.KeyValue;

/**
 * Rows of the data table: the points of the piece, merged by the TSD's rules for duplicates, and
 * the annotations of the series. A row that OpenTSDB may read in another way is left to it.
 */
final class RawRows implements RowReader {
  private final RowKey keys;
  private final RowMerger merger;
  private final RollupFunction function;
  private final Clip pieces;
  private final boolean annotations;

  /**
   * @param pieces the times that count
   * @param annotations whether they are wanted
   */
  RawRows(StorageSchema schema, RollupFunction function, TimeRanges pieces, boolean annotations) {
    this.keys = new RowKey(schema);
    this.merger = new RowMerger(schema);
    this.function = function;
    this.pieces = new Clip(pieces);
    this.annotations = annotations;
  }

  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    long baseTime = keys.baseTime(row.get(0).key(), 0);
    long base = baseTime * 1000;
    // A scan may go over rows that rollups stand for: whatever is wrong in them is not read.
    if (!pieces.hasAny(base, base + 1000L * RowKey.ROW_SPAN_SECONDS)) {
      return;
    }
    PointBuffer points = merge(row);
    double[] values = points.doubles();
    for (int i = 0; i < points.size(); i++) {
      long time = base + points.offsetMillis(i);
      if (pieces.has(time)) {
        series.add(time, value(values[i]), 1);
      }
    }
    if (annotations && merger.annotations() > 0 && AnnotationRows.isOf(baseTime, pieces)) {
      AnnotationRows.readAll(row, series);
    }
  }

  private PointBuffer merge(List<KeyValue> row) {
    merger.reset();
    try {
      for (KeyValue cell : row) {
        byte[] q = cell.qualifier();
        byte[] v = cell.value();
        merger.add(q, 0, q.length, v, 0, v.length, cell.timestamp());
      }
      PointBuffer points = merger.merge();
      if (merger.ambiguousDuplicates() > 0) {
        throw new NotExactException("duplicate points of the same cell timestamp");
      }
      return points;
    } catch (CorruptCellException e) {
      throw new NotExactException("corrupt cells");
    } catch (DuplicateConflictException e) {
      throw new NotExactException("conflicting duplicate points");
    }
  }

  /** What the Downsampler is given for a point. It skips NaN where it is given points alone. */
  private double value(double value) {
    switch (function) {
      case COUNT:
        return Double.isNaN(value) ? 0 : 1;
      case AVG:
        if (Double.isNaN(value)) {
          throw new NotExactException("NaN in raw data");
        }
        return value;
      default:
        return value;
    }
  }
}
