package io.tsdbsuite.format.row;

import java.util.Arrays;

/**
 * The histograms of one raw row. Reusable, not thread-safe: {@link RowMerger#receive}, then {@link
 * #sort} after the last cell of the row. Source: docs/storage.md 2.8.
 */
public final class RowHistograms {
  private static final long ROW_MILLIS = RowKey.ROW_SPAN_SECONDS * 1000L;

  /** Offset and index of each histogram: milliseconds in the high half. */
  private long[] order = new long[4];

  /** Where each value begins in {@link #bytes}; behind the last one where it ends. */
  private int[] starts = new int[5];

  private byte[] bytes = new byte[256];
  private int size;

  /** Creates an empty list. */
  public RowHistograms() {}

  void clear() {
    size = 0;
  }

  void add(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen) throws CorruptCellException {
    long offset = HistogramColumn.offsetMillis(q, qOff, qLen);
    if (offset >= ROW_MILLIS) {
      throw new CorruptCellException(
          CellProblem.HISTOGRAM_OUT_OF_ROW, q, qOff, qLen, String.valueOf(offset));
    }
    if (vLen == 0) {
      throw new CorruptCellException(CellProblem.NO_CODEC_ID, q, qOff, qLen, "no byte");
    }
    if (size == order.length) {
      order = Arrays.copyOf(order, 2 * size);
      starts = Arrays.copyOf(starts, 2 * size + 1);
    }
    int start = starts[size];
    if (bytes.length - start < vLen) {
      bytes = Arrays.copyOf(bytes, Math.max(start + vLen, 2 * bytes.length));
    }
    System.arraycopy(v, vOff, bytes, start, vLen);
    order[size] = offset << 32 | size;
    starts[++size] = start + vLen;
  }

  /**
   * Sorts by time.
   *
   * @throws CorruptCellException when an instant has a histogram in a column of seconds and one in
   *     a column of milliseconds, which a TSD counts both
   */
  public void sort() throws CorruptCellException {
    Arrays.sort(order, 0, size);
    for (int i = 1; i < size; i++) {
      if (offsetMillis(i) == offsetMillis(i - 1)) {
        throw new CorruptCellException(
            CellProblem.SAME_INSTANT_HISTOGRAMS,
            new byte[] {HistogramColumn.PREFIX},
            0,
            1,
            "two at millisecond " + offsetMillis(i));
      }
    }
  }

  /** Number of histograms. */
  public int size() {
    return size;
  }

  /** Time of a histogram, milliseconds from the base time of the row. */
  public int offsetMillis(int i) {
    return (int) (order[i] >>> 32);
  }

  /** The id of the codec, 0 to 255. */
  public int codecId(int i) {
    return bytes[starts[(int) order[i]]] & 0xff;
  }

  /** The array with all values; overwritten for the next row. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the bytes of a histogram begin, after the id of its codec. */
  public int start(int i) {
    return starts[(int) order[i]] + 1;
  }

  /** The number of bytes of a histogram, without the id of its codec. */
  public int length(int i) {
    return starts[(int) order[i] + 1] - start(i);
  }
}
