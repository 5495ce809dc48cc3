package io.tsdbsuite.contract;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.Arrays;

/** Reads rows with storage-format. */
final class FormatRowReader implements RowReader {
  private final RowMerger merger;
  private final PointSummary summary = new PointSummary();

  FormatRowReader(StorageSchema schema) {
    merger = new RowMerger(schema);
  }

  @Override
  public Reading read(GeneratedRow row) {
    merger.reset();
    PointBuffer points;
    try {
      for (GeneratedCell cell : row.cells()) {
        add(cell);
      }
      points = merger.merge();
    } catch (CorruptCellException e) {
      return new Refused(e.problem(), e.getMessage());
    } catch (DuplicateConflictException e) {
      return new Refused(null, e.getMessage());
    }
    checkBooks(row, points);
    if (points.size() == 0) {
      return new Nothing();
    }
    summary.clear();
    summary.addAll(points, 0, points.size());
    if (!summary.isFinite()) {
      return new Refused(null, "the sum is no finite number");
    }
    CompactedCell cell = CompactedCell.encode(points);
    return new Read(
        cell.qualifier(),
        cell.value(),
        summary.sum(),
        summary.min(),
        summary.max(),
        summary.count());
  }

  /** Passes the bytes inside larger arrays, to test offsets and lengths. */
  private void add(GeneratedCell cell) throws CorruptCellException {
    byte[] q = framed(cell.qualifier());
    byte[] v = framed(cell.value());
    merger.add(q, 3, q.length - 5, v, 3, v.length - 5, cell.timestamp());
  }

  private static byte[] framed(byte[] bytes) {
    byte[] framed = new byte[bytes.length + 5];
    Arrays.fill(framed, (byte) 0xa5);
    System.arraycopy(bytes, 0, framed, 3, bytes.length);
    return framed;
  }

  private void checkBooks(GeneratedRow row, PointBuffer points) {
    int cells =
        merger.pointCells()
            + merger.annotations()
            + merger.histograms()
            + merger.unknownColumns()
            + merger.emptyValues();
    if (cells != row.cells().size()) {
      throw new AssertionError("cells counted: " + cells + " of " + row.cells().size());
    }
    if (merger.pointsRead() != points.size() + merger.duplicatesDropped()) {
      throw new AssertionError(
          "points read: "
              + merger.pointsRead()
              + ", kept: "
              + points.size()
              + ", dropped: "
              + merger.duplicatesDropped());
    }
    if (merger.ambiguousDuplicates() != 0) {
      throw new AssertionError("ambiguous without equal cell timestamps");
    }
  }
}
