package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.List;
import net.opentsdb.core.RawSpan;
import net.opentsdb.meta.Annotation;
import net.opentsdb.utils.JSON;
import org.hbase.async.KeyValue;

/** Rows of the data table whose points are in rollups: the annotations of the series. */
final class AnnotationRows implements RowReader {
  private final RowKey keys;
  private final Clip rollups;

  /**
   * @param rollups the times of the rollups
   */
  AnnotationRows(StorageSchema schema, TimeRanges rollups) {
    this.keys = new RowKey(schema);
    this.rollups = new Clip(rollups);
  }

  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    if (isOf(keys.baseTime(row.get(0).key(), 0), rollups)) {
      readAll(row, series);
    }
  }

  /**
   * Whether the annotations of a row belong to a piece. A piece may begin or end inside a row: all
   * annotations of the row are of the piece in which the row begins.
   *
   * @param baseTime of the row, seconds
   */
  static boolean isOf(long baseTime, Clip pieces) {
    return pieces.has(baseTime * 1000);
  }

  /** Adds all annotations of a row. */
  static void readAll(List<KeyValue> row, ScannedSeries to) {
    for (KeyValue cell : row) {
      byte[] q = cell.qualifier();
      if (ColumnKind.of(q, 0, q.length) == ColumnKind.ANNOTATION) {
        to.annotations().add(JSON.parseToObject(cell.value(), Annotation.class));
        to.otherBytes += RawSpan.bytesOfAnnotation(cell);
      }
    }
  }
}
