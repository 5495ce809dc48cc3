package io.tsdbsuite.format.row;

import org.jspecify.annotations.Nullable;

/**
 * The column of a TSD in append mode: all points of the hour in the order of arrival.
 *
 * <pre>
 *   qualifier   05 00 00
 *   value       | q1 | v1 | q2 | v2 | ... | qn | vn |      no count, no last byte
 * </pre>
 *
 * <p>{@code q} is 2 or 4 bytes (see Qualifier), {@code v} 1, 2, 4 or 8 (see Values). An instant may
 * occur several times; its last point counts. Source: docs/storage.md 3.
 */
public final class AppendCell {
  /** First byte of the qualifier. */
  static final byte PREFIX = 0x05;

  /** Length of the qualifier, bytes. */
  static final int QUALIFIER_LENGTH = 3;

  /** A qualifier in seconds and a value of one byte. */
  private static final int LEAST_POINT = Qualifier.SECONDS_LENGTH + 1;

  private AppendCell() {}

  /** The column qualifier; a new array for each call. */
  public static byte[] qualifier() {
    return new byte[] {PREFIX, 0, 0};
  }

  /** Whether this is an append column: any 3 bytes that begin with 05, as in a TSD. */
  public static boolean is(byte[] q, int off, int len) {
    return len == QUALIFIER_LENGTH && q[off] == PREFIX;
  }

  /** The value of a cell with these points, in their order; empty for none. */
  public static byte[] encode(PointBuffer points) {
    int n = points.size();
    int length = 0;
    for (int i = 0; i < n; i++) {
      length += points.isMillis(i) ? Qualifier.MILLIS_LENGTH : Qualifier.SECONDS_LENGTH;
      length += points.valueLength(i);
    }
    byte[] value = new byte[length];
    int at = 0;
    for (int i = 0; i < n; i++) {
      at = Qualifier.write(points.offsetMillis(i), points.isMillis(i), points.flags(i), value, at);
      at = Values.write(points.rawBits(i), points.valueLength(i), value, at);
    }
    return value;
  }

  /**
   * Adds the points to a buffer, in ascending order, each instant once.
   *
   * @return the number of points that a later point of the same instant has replaced
   * @throws CorruptCellException when the value ends inside a point, an offset lies outside the
   *     hour or a width is illegal; nothing is added then
   */
  public static int decode(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    return decode(q, qOff, qLen, v, vOff, vLen, into, null);
  }

  /**
   * Like the public method. Points out of order are sorted in {@code scratch}, or in a new one if
   * it is null.
   */
  static int decode(
      byte[] q,
      int qOff,
      int qLen,
      byte[] v,
      int vOff,
      int vLen,
      PointBuffer into,
      @Nullable AppendScratch scratch)
      throws CorruptCellException {
    int start = into.size();
    boolean ascending = decodeAll(q, qOff, qLen, v, vOff, vLen, into);
    if (ascending) {
      return 0;
    }
    return (scratch == null ? new AppendScratch() : scratch).sortLastWins(into, start);
  }

  private static boolean decodeAll(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    int end = vOff + vLen;
    int at = vOff;
    int previous = -1;
    boolean ascending = true;
    into.reserve(vLen / LEAST_POINT);
    int[] times = into.timeArray();
    long[] bits = into.bitsArray();
    double[] doubles = into.doubles();
    int point = into.size();
    while (at < end) {
      boolean millis = Qualifier.isMillis(v[at]);
      int valueAt = at + (millis ? Qualifier.MILLIS_LENGTH : Qualifier.SECONDS_LENGTH);
      if (valueAt > end) {
        throw truncated(q, qOff, qLen, end - at);
      }
      int offset = PointChecks.checkedOffset(millis, v, at, q, qOff, qLen);
      int flags = v[valueAt - 1] & Qualifier.FLAGS_MASK;
      int length = PointChecks.checkedLength(flags, q, qOff, qLen);
      if (valueAt + length > end) {
        throw truncated(q, qOff, qLen, end - at);
      }
      times[point] = PointBuffer.time(offset, millis, flags);
      Values.read(v, valueAt, flags, bits, doubles, point);
      point++;
      ascending &= offset > previous;
      previous = offset;
      at = valueAt + length;
    }
    into.added(point);
    return ascending;
  }

  private static CorruptCellException truncated(byte[] q, int qOff, int qLen, int left) {
    return new CorruptCellException(
        CellProblem.TRUNCATED_APPEND, q, qOff, qLen, left + " bytes at its end");
  }
}
