package io.tsdbsuite.query.read;

import io.tsdbsuite.format.row.ColumnKind;
import java.util.List;
import net.opentsdb.meta.Annotation;
import net.opentsdb.utils.JSON;
import org.hbase.async.KeyValue;

/** Rows of the data table whose points are in rollups: the annotations of the series. */
final class AnnotationRows implements RowReader {
  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    for (KeyValue cell : row) {
      byte[] q = cell.qualifier();
      if (ColumnKind.of(q, 0, q.length) == ColumnKind.ANNOTATION) {
        series.annotations().add(JSON.parseToObject(cell.value(), Annotation.class));
      }
    }
  }
}
