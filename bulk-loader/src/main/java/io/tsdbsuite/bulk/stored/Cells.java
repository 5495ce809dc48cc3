package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.format.row.AppendCell;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.SingleCell;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** Encodes points of a row as cells, and decodes them. */
final class Cells {
  /** Points in one compacted cell, which keeps it below HBase's limit of 10 MB for a cell. */
  static final int MAX_POINTS = 500_000;

  private static final long MILLIS = 1000;

  private Cells() {}

  /** Adds the points of a row that the load has encoded. */
  static void decode(EncodedRow row, PointBuffer into) {
    byte[] q = row.qualifier();
    byte[] v = row.value();
    try {
      if (row.points() == 1) {
        SingleCell.decode(q, 0, q.length, v, 0, v.length, into);
      } else {
        CompactedCell.decode(q, 0, q.length, v, 0, v.length, into);
      }
    } catch (CorruptCellException e) {
      throw new IllegalArgumentException("a row of the load is wrong: " + e.getMessage(), e);
    }
  }

  /**
   * Adds the points of a stored cell; none if it is no point cell.
   *
   * @throws CorruptCellException when a TSD could not read it
   */
  static void decode(Cell cell, PointBuffer into) throws CorruptCellException {
    byte[] q = cell.getQualifierArray();
    int qOff = cell.getQualifierOffset();
    int qLen = cell.getQualifierLength();
    byte[] v = cell.getValueArray();
    int vOff = cell.getValueOffset();
    int vLen = cell.getValueLength();
    switch (ColumnKind.of(q, qOff, qLen)) {
      case COMPACTED -> CompactedCell.decode(q, qOff, qLen, v, vOff, vLen, into);
      case APPEND -> AppendCell.decode(q, qOff, qLen, v, vOff, vLen, into);
      case SECONDS_POINT, MILLIS_POINT -> SingleCell.decode(q, qOff, qLen, v, vOff, vLen, into);
      default -> {
        // An annotation, a histogram, or a cell of an unknown kind.
      }
    }
  }

  /** Points as compacted cells, one unless there are very many. */
  static List<EncodedRow> compacted(byte[] key, long baseTime, PointBuffer points) {
    List<EncodedRow> rows = new ArrayList<>();
    for (int from = 0; from < points.size(); from += MAX_POINTS) {
      int to = Math.min(points.size(), from + MAX_POINTS);
      PointBuffer part = points;
      if (to - from < points.size()) {
        part = new PointBuffer(to - from);
        for (int i = from; i < to; i++) {
          copy(points, i, part);
        }
      }
      CompactedCell cell = CompactedCell.encode(part);
      long newest = baseTime * MILLIS + points.offsetMillis(to - 1);
      rows.add(new EncodedRow(key, cell.qualifier(), cell.value(), to - from, newest));
    }
    return rows;
  }

  /** Points as the column of a TSD in append mode. */
  static EncodedRow appended(byte[] key, long baseTime, PointBuffer points) {
    long newest = baseTime * MILLIS + points.offsetMillis(points.size() - 1);
    return new EncodedRow(
        key, AppendCell.qualifier(), AppendCell.encode(points), points.size(), newest);
  }

  /** Adds point {@code i} of one buffer to another. */
  static void copy(PointBuffer from, int i, PointBuffer to) {
    to.add(
        from.offsetMillis(i),
        from.isMillis(i),
        from.isFloat(i),
        from.valueLength(i),
        from.rawBits(i));
  }
}
