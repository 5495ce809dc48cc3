package io.tsdbsuite.format.row;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Decodes compacted cells point by point, as docs/storage.md 2 describes them, from single bytes
 * and without regard to speed: what the suite's decoder is compared with.
 */
final class OneByOne {
  private OneByOne() {}

  /** Like {@link CompactedCell#decode}. */
  static void decode(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    int before = into.size();
    try {
      decodeAll(q, qOff, qLen, v, vOff, vLen, into);
    } catch (CorruptCellException e) {
      into.truncate(before);
      throw e;
    }
  }

  private static void decodeAll(
      byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, PointBuffer into)
      throws CorruptCellException {
    int previous = -1;
    int used = 0;
    int at = 0;
    while (at < qLen) {
      boolean millis = (q[qOff + at] & 0xf0) == 0xf0;
      int width = millis ? 4 : 2;
      if (at + width > qLen) {
        throw corrupt(CellProblem.CUT_MILLIS_QUALIFIER, q, qOff, qLen, (qLen - at) + " bytes");
      }
      int bits = number(q, qOff + at, width).intValue();
      int offset = millis ? bits >>> 6 & 0x3fffff : bits >>> 4;
      if (offset > (millis ? 3_599_999 : 3599)) {
        throw corrupt(
            millis ? CellProblem.MILLIS_OUT_OF_ROW : CellProblem.SECONDS_OUT_OF_ROW,
            q,
            qOff,
            qLen,
            String.valueOf(offset));
      }
      offset *= millis ? 1 : 1000;
      if (offset <= previous) {
        throw corrupt(
            offset == previous ? CellProblem.DUPLICATE_POINTS : CellProblem.UNSORTED_POINTS,
            q,
            qOff,
            qLen,
            offset + " ms after " + previous + " ms");
      }
      boolean isFloat = (bits & 8) != 0;
      int length = (bits & 7) + 1;
      if (!Arrays.asList(1, 2, 4, 8).contains(length) || (isFloat && length < 4)) {
        throw corrupt(
            isFloat ? CellProblem.FLOAT_WIDTH : CellProblem.INTEGER_WIDTH,
            q,
            qOff,
            qLen,
            String.valueOf(length));
      }
      if (used + length > vLen) {
        throw corrupt(CellProblem.VALUE_LENGTH, q, qOff, qLen, vLen + " bytes, too few");
      }
      into.add(offset, millis, isFloat, length, number(v, vOff + used, length).longValue());
      previous = offset;
      used += length;
      at += width;
    }
    if (vLen - used > 1) {
      throw corrupt(
          CellProblem.VALUE_LENGTH, q, qOff, qLen, vLen + " bytes instead of " + (used + 1));
    }
  }

  /** Like {@link PointBuffer#doubleValue}. */
  static double value(PointBuffer points, int i) {
    long bits = points.rawBits(i);
    if (points.isFloat(i)) {
      return points.valueLength(i) == Float.BYTES
          ? Float.intBitsToFloat((int) bits)
          : Double.longBitsToDouble(bits);
    }
    switch (points.valueLength(i)) {
      case Byte.BYTES:
        return (byte) bits;
      case Short.BYTES:
        return (short) bits;
      case Integer.BYTES:
        return (int) bits;
      default:
        return (double) bits;
    }
  }

  private static BigInteger number(byte[] bytes, int off, int length) {
    return new BigInteger(1, Arrays.copyOfRange(bytes, off, off + length));
  }

  private static CorruptCellException corrupt(
      CellProblem problem, byte[] q, int qOff, int qLen, String found) {
    return new CorruptCellException(problem, q, qOff, qLen, found);
  }
}
