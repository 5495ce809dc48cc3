package io.tsdbsuite.format.row;

/**
 * A column with the points of a whole hour, in time order.
 *
 * <pre>
 *   qualifier   | q1 | q2 | ... | qn |          2 or 4 bytes each (see Qualifier)
 *   value       | v1 | v2 | ... | vn | meta |   1, 2, 4 or 8 bytes each (see Values)
 *                                       1 byte: 00 one resolution, 01 seconds and milliseconds
 * </pre>
 *
 * <p>A cell of one point is a single cell without the last byte. Some writers of OpenTSDB omit that
 * byte (docs/storage.md 8), so this class accepts both forms and ignores the byte's content.
 * Source: docs/storage.md 2.5.
 */
public final class CompactedCell {
  private static final byte ONE_RESOLUTION = 0x00;
  private static final byte MIXED = 0x01;

  private final byte[] qualifier;
  private final byte[] value;

  private CompactedCell(byte[] qualifier, byte[] value) {
    this.qualifier = qualifier;
    this.value = value;
  }

  /** The column qualifier; not a copy. */
  public byte[] qualifier() {
    return qualifier;
  }

  /** The cell value; not a copy. */
  public byte[] value() {
    return value;
  }

  /**
   * Encodes points as one cell; one point becomes a single cell.
   *
   * @param points at least one point, in ascending order, each instant once
   * @throws IllegalArgumentException when there is no point or they do not ascend
   */
  public static CompactedCell encode(PointBuffer points) {
    int n = points.size();
    if (n == 0) {
      throw new IllegalArgumentException("a compacted cell must have points, found none");
    }
    int millis = 0;
    int valueLength = n > 1 ? 1 : 0;
    for (int i = 0; i < n; i++) {
      if (i > 0 && points.offsetMillis(i) <= points.offsetMillis(i - 1)) {
        throw new IllegalArgumentException(
            CellProblem.UNSORTED_POINTS.rule()
                + ", found "
                + points.offsetMillis(i)
                + " ms after "
                + points.offsetMillis(i - 1));
      }
      millis += points.isMillis(i) ? 1 : 0;
      valueLength += points.valueLength(i);
    }
    byte[] q = new byte[millis * Qualifier.MILLIS_LENGTH + (n - millis) * Qualifier.SECONDS_LENGTH];
    byte[] v = new byte[valueLength];
    int qAt = 0;
    int vAt = 0;
    for (int i = 0; i < n; i++) {
      qAt = Qualifier.write(points.offsetMillis(i), points.isMillis(i), points.flags(i), q, qAt);
      vAt = Values.write(points.rawBits(i), points.valueLength(i), v, vAt);
    }
    if (n > 1) {
      v[vAt] = lastByte(n, millis);
    }
    return new CompactedCell(q, v);
  }

  /**
   * The last byte of the value of a cell with more than one point.
   *
   * @param points number of points, at least 2
   * @param millis number of points in milliseconds
   */
  public static byte lastByte(int points, int millis) {
    return millis > 0 && millis < points ? MIXED : ONE_RESOLUTION;
  }

  /**
   * Adds the points to a buffer; the value must not be empty.
   *
   * @throws CorruptCellException when an offset lies outside the hour, points do not ascend, a
   *     width is illegal, or the value does not have the sum of the widths, or one byte more;
   *     nothing is added then
   */
  public static void decode(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    int qEnd = qOff + qLen;
    int vEnd = vOff + vLen;
    into.reserve(qLen / Qualifier.SECONDS_LENGTH);
    int[] times = into.timeArray();
    long[] bits = into.bitsArray();
    double[] doubles = into.doubles();
    int point = into.size();
    long decoded = decodeSeconds(q, qOff, qLen, v, vOff, times, bits, doubles, point);
    int qAt = qOff;
    int vAt = vOff;
    int previous = -1;
    if ((int) decoded > 0 && (int) (decoded >>> Integer.SIZE) <= vEnd) {
      point += (int) decoded;
      qAt += (int) decoded * Qualifier.SECONDS_LENGTH;
      vAt = (int) (decoded >>> Integer.SIZE);
      previous = times[point - 1] >>> PointBuffer.OFFSET_SHIFT;
    }
    while (qAt < qEnd) {
      boolean millis = Qualifier.isMillis(q[qAt]);
      int next = qAt + (millis ? Qualifier.MILLIS_LENGTH : Qualifier.SECONDS_LENGTH);
      if (next > qEnd) {
        throw new CorruptCellException(
            CellProblem.CUT_MILLIS_QUALIFIER, q, qOff, qLen, (qEnd - qAt) + " bytes");
      }
      int offset = PointChecks.checkedOffset(millis, q, qAt, qOff, qLen);
      if (offset <= previous) {
        throw new CorruptCellException(
            offset == previous ? CellProblem.DUPLICATE_POINTS : CellProblem.UNSORTED_POINTS,
            q,
            qOff,
            qLen,
            offset + " ms after " + previous + " ms");
      }
      int flags = q[next - 1] & Qualifier.FLAGS_MASK;
      int length = PointChecks.checkedLength(flags, q, qOff, qLen);
      if (vAt + length > vEnd) {
        throw new CorruptCellException(
            CellProblem.VALUE_LENGTH, q, qOff, qLen, vLen + " bytes, too few");
      }
      times[point] = PointBuffer.time(offset, millis, flags);
      Values.read(v, vAt, flags, bits, doubles, point);
      point++;
      previous = offset;
      qAt = next;
      vAt += length;
    }
    if (vEnd - vAt > 1) {
      throw new CorruptCellException(
          CellProblem.VALUE_LENGTH, q, qOff, qLen, vLen + " bytes instead of " + (vAt - vOff + 1));
    }
    into.added(point);
  }

  /**
   * Decodes the points from the first one on, up to one that it leaves to the caller: in
   * milliseconds, corrupt, or with less than 8 bytes from its value to the end of the array. Nearly
   * all points are none of these, and all reasons together are one branch. The end of the cell's
   * value is not checked.
   *
   * @return the number of points, and, in the high 32 bits, the index after their values
   */
  private static long decodeSeconds(
      byte[] q,
      int qOff,
      int qLen,
      byte[] v,
      int vOff,
      int[] times,
      long[] bits,
      double[] doubles,
      int first) {
    int points = qLen / Qualifier.SECONDS_LENGTH;
    int limit = v.length - Long.BYTES;
    int vAt = vOff;
    int previous = -1;
    int i = 0;
    for (; i < points; i++) {
      int qualifier = BigEndian.readChar(q, qOff + i * Qualifier.SECONDS_LENGTH);
      int seconds = qualifier >> 4;
      int flags = qualifier & Qualifier.FLAGS_MASK;
      // Each is negative where its rule is broken; one in milliseconds is above the last second.
      if (((Qualifier.MAX_SECONDS - seconds)
              | (seconds - previous - 1)
              | (limit - vAt)
              | Values.negativeIfIllegal(flags))
          < 0) {
        break;
      }
      times[first + i] = PointBuffer.time(seconds * 1000, false, flags);
      Values.readWithin(v, vAt, flags, bits, doubles, first + i);
      previous = seconds;
      vAt += (flags & Qualifier.LENGTH_MASK) + 1;
    }
    return (long) vAt << Integer.SIZE | i;
  }
}
