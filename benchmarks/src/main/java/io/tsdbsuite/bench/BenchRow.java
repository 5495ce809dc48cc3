package io.tsdbsuite.bench;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowMerger;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The cells of a row of the data table, consecutive in one array as in an HFile block. */
public final class BenchRow implements FirstWay.Cells {
  private static final long TIMESTAMP = 1_700_000_000_000L;

  private final ByteArrayOutputStream joined = new ByteArrayOutputStream();
  private byte[] bytes = new byte[0];
  private int[] qualifierOffsets = new int[0];
  private int[] valueOffsets = new int[0];
  private int[] ends = new int[0];

  /** Appends a cell. */
  public void add(CompactedCell cell) {
    add(cell.qualifier(), cell.value());
  }

  /** Appends a cell. */
  public void add(byte[] qualifier, byte[] value) {
    qualifierOffsets = with(qualifierOffsets, joined.size());
    joined.writeBytes(qualifier);
    valueOffsets = with(valueOffsets, joined.size());
    joined.writeBytes(value);
    ends = with(ends, joined.size());
    bytes = joined.toByteArray();
  }

  private static int[] with(int[] array, int last) {
    int[] longer = Arrays.copyOf(array, array.length + 1);
    longer[array.length] = last;
    return longer;
  }

  @Override
  public int cells() {
    return ends.length;
  }

  /** All cells, consecutively. */
  public byte[] bytes() {
    return bytes;
  }

  /** Offset of a cell's qualifier in {@link #bytes}. */
  public int qualifierOffset(int cell) {
    return qualifierOffsets[cell];
  }

  /** Length of a cell's qualifier, bytes. */
  public int qualifierLength(int cell) {
    return valueOffsets[cell] - qualifierOffsets[cell];
  }

  /** Offset of a cell's value in {@link #bytes}. */
  public int valueOffset(int cell) {
    return valueOffsets[cell];
  }

  /** Length of a cell's value, bytes. */
  public int valueLength(int cell) {
    return ends[cell] - valueOffsets[cell];
  }

  @Override
  public long timestamp(int cell) {
    return TIMESTAMP + cell;
  }

  /** The points of the row, merged as in rollup-job. */
  public PointBuffer merge(RowMerger merger) throws RowException {
    merger.reset();
    for (int i = 0; i < cells(); i++) {
      merger.add(
          bytes,
          qualifierOffset(i),
          qualifierLength(i),
          bytes,
          valueOffset(i),
          valueLength(i),
          timestamp(i));
    }
    return merger.merge();
  }

  /** A copy of a cell's qualifier, as by HBase's {@code CellUtil.cloneQualifier}. */
  @Override
  public byte[] cloneQualifier(int cell) {
    return Arrays.copyOfRange(bytes, qualifierOffsets[cell], valueOffsets[cell]);
  }

  /** A copy of a cell's value, as by HBase's {@code CellUtil.cloneValue}. */
  @Override
  public byte[] cloneValue(int cell) {
    return Arrays.copyOfRange(bytes, valueOffsets[cell], ends[cell]);
  }
}
