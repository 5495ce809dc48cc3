package io.tsdbsuite.query.read;

import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.List;
import net.opentsdb.meta.Annotation;
import net.opentsdb.utils.JSON;
import org.hbase.async.KeyValue;

/** Rows of the data table whose points are in rollups: the annotations of the series. */
final class AnnotationRows implements RowReader {
  private final RowKey keys;
  private final long from;
  private final long to;

  /**
   * @param from first time of the rollups, milliseconds
   * @param to end of the rollups, milliseconds
   */
  AnnotationRows(StorageSchema schema, long from, long to) {
    this.keys = new RowKey(schema);
    this.from = from;
    this.to = to;
  }

  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    if (isOf(keys.baseTime(row.get(0).key(), 0), from, to)) {
      read(row, series.annotations());
    }
  }

  /**
   * Whether the annotations of a row belong to a piece. A piece may begin or end inside a row: all
   * annotations of the row are of the piece in which the row begins.
   *
   * @param baseTime of the row, seconds
   */
  static boolean isOf(long baseTime, long from, long to) {
    return baseTime * 1000 >= from && baseTime * 1000 < to;
  }

  /** Adds the annotations of a row. */
  static void read(List<KeyValue> row, List<Annotation> annotations) {
    for (KeyValue cell : row) {
      byte[] q = cell.qualifier();
      if (ColumnKind.of(q, 0, q.length) == ColumnKind.ANNOTATION) {
        annotations.add(JSON.parseToObject(cell.value(), Annotation.class));
      }
    }
  }
}
