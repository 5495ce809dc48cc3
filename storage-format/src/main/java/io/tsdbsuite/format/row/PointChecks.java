package io.tsdbsuite.format.row;

/** Checks of single points that compacted and append cells share. */
final class PointChecks {
  private PointChecks() {}

  /**
   * The offset of the qualifier at {@code at}, milliseconds. {@code q, qOff, qLen} is the column
   * that the exception names.
   */
  static int checkedOffset(boolean millis, byte[] bytes, int at, byte[] q, int qOff, int qLen)
      throws CorruptCellException {
    if (millis) {
      int offset = Qualifier.millis(bytes, at);
      if (offset > Qualifier.MAX_MILLIS) {
        throw new CorruptCellException(
            CellProblem.MILLIS_OUT_OF_ROW, q, qOff, qLen, String.valueOf(offset));
      }
      return offset;
    }
    int seconds = Qualifier.seconds(bytes, at);
    if (seconds > Qualifier.MAX_SECONDS) {
      throw new CorruptCellException(
          CellProblem.SECONDS_OUT_OF_ROW, q, qOff, qLen, String.valueOf(seconds));
    }
    return seconds * 1000;
  }

  static int checkedOffset(boolean millis, byte[] q, int at, int qOff, int qLen)
      throws CorruptCellException {
    return checkedOffset(millis, q, at, q, qOff, qLen);
  }

  /** The length of a value with these flags, bytes. */
  static int checkedLength(int flags, byte[] q, int qOff, int qLen) throws CorruptCellException {
    int length = (flags & Qualifier.LENGTH_MASK) + 1;
    if (!Values.isLegal(flags)) {
      throw new CorruptCellException(
          Values.widthProblem((flags & Qualifier.FLOAT) != 0),
          q,
          qOff,
          qLen,
          String.valueOf(length));
    }
    return length;
  }
}
