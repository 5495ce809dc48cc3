package io.tsdbsuite.format.row;

/**
 * Decodes a column with one point.
 *
 * <pre>
 *   qualifier   2 or 4 bytes (see Qualifier)
 *   value       1, 2, 4 or 8 bytes (see Values)
 * </pre>
 *
 * <p>Old TSDs wrote wrong lengths into 2-byte qualifiers. Therefore the decoder ignores the length
 * in a 2-byte qualifier, and uses the length of the value. A float flagged as 4 bytes may also have
 * a value of 8 bytes whose first four bytes are zero:
 *
 * <pre>
 *   qualifier oooooooo oooo1011    value 00 00 00 00 | IEEE float
 * </pre>
 *
 * <p>Source: docs/storage.md 2.2, 2.3 and 2.4.
 */
public final class SingleCell {
  private static final int FLOAT_ON_4 = 0xb;

  private SingleCell() {}

  /**
   * Decodes the point and adds it to a buffer; the value must not be empty.
   *
   * @param q array with the qualifier
   * @param qOff index of the qualifier's first byte
   * @param qLen length of the qualifier, bytes
   * @param v array with the value
   * @param vOff index of the value's first byte
   * @param vLen length of the value, bytes, at least 1
   * @param into receives the point
   * @throws CorruptCellException when the qualifier does not encode one point, its offset lies
   *     outside the hour, or the value has an illegal length; nothing is added then
   */
  public static void decode(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    if (qLen == 0) {
      throw new CorruptCellException(CellProblem.EMPTY_QUALIFIER, q, qOff, qLen, "0 bytes");
    }
    if (Qualifier.isMillis(q[qOff])) {
      decodeMillis(q, qOff, qLen, v, vOff, vLen, into);
    } else {
      decodeSeconds(q, qOff, qLen, v, vOff, vLen, into);
    }
  }

  private static void decodeSeconds(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    if (qLen != Qualifier.SECONDS_LENGTH) {
      throw notSingle(q, qOff, qLen);
    }
    int seconds = Qualifier.seconds(q, qOff);
    if (seconds > Qualifier.MAX_SECONDS) {
      throw new CorruptCellException(
          CellProblem.SECONDS_OUT_OF_ROW, q, qOff, qLen, String.valueOf(seconds));
    }
    int flags = q[qOff + 1] & Qualifier.FLAGS_MASK;
    int valueOff = vOff;
    int length = vLen;
    if (flags == FLOAT_ON_4 && vLen == 8) {
      if (Values.rawBits(v, vOff, 4) != 0) {
        throw new CorruptCellException(
            CellProblem.HISTORIC_FLOAT,
            q,
            qOff,
            qLen,
            Long.toHexString(Values.rawBits(v, vOff, 8)));
      }
      valueOff += 4;
      length = 4;
    }
    boolean isFloat = (flags & Qualifier.FLOAT) != 0;
    if (!Values.isLegal(isFloat, length)) {
      throw new CorruptCellException(
          Values.widthProblem(isFloat), q, qOff, qLen, String.valueOf(length));
    }
    into.read(seconds * 1000, false, Qualifier.flags(isFloat, length), v, valueOff);
  }

  private static void decodeMillis(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    if (qLen < Qualifier.MILLIS_LENGTH) {
      throw new CorruptCellException(
          CellProblem.CUT_MILLIS_QUALIFIER, q, qOff, qLen, qLen + " bytes");
    }
    if (qLen > Qualifier.MILLIS_LENGTH) {
      throw notSingle(q, qOff, qLen);
    }
    int millis = Qualifier.millis(q, qOff);
    if (millis > Qualifier.MAX_MILLIS) {
      throw new CorruptCellException(
          CellProblem.MILLIS_OUT_OF_ROW, q, qOff, qLen, String.valueOf(millis));
    }
    int flags = q[qOff + 3] & Qualifier.FLAGS_MASK;
    int length = (flags & Qualifier.LENGTH_MASK) + 1;
    if (!Values.isLegal(flags)) {
      throw new CorruptCellException(
          Values.widthProblem((flags & Qualifier.FLOAT) != 0),
          q,
          qOff,
          qLen,
          String.valueOf(length));
    }
    if (length != vLen) {
      throw new CorruptCellException(
          CellProblem.VALUE_LENGTH, q, qOff, qLen, vLen + " bytes instead of " + length);
    }
    into.read(millis, true, flags, v, vOff);
  }

  private static CorruptCellException notSingle(byte[] q, int qOff, int qLen) {
    return new CorruptCellException(
        CellProblem.VALUE_LENGTH, q, qOff, qLen, "the qualifier of several points");
  }
}
