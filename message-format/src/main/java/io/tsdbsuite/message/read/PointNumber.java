package io.tsdbsuite.message.read;

import io.tsdbsuite.message.Origin;
import org.jspecify.annotations.Nullable;

/**
 * The number of a {@code Metric}, as OpenTSDB stores it: an integer on the smallest width that
 * holds it, or a floating-point number on 4 or 8 bytes. Reusable: {@link #parse}, then the other
 * methods. Not thread-safe. Source: docs/storage.md 2.3.
 *
 * <p>A text with {@code .}, {@code e} or {@code E} is a floating-point number, every other text an
 * integer. A floating-point number has 4 bytes if these hold the value, as for telnet commands; a
 * point that came over HTTP has 8.
 */
public final class PointNumber {
  /** Digits of {@link Long#MAX_VALUE}; a TSD takes no more, also not leading zeros. */
  private static final int MAX_DIGITS = 19;

  private boolean isFloat;
  private int length = 1;
  private long integer;
  private double number;

  /** Creates the number 0. */
  public PointNumber() {}

  /**
   * Parses the value of a Metric.
   *
   * @param text the number's text in the message
   * @param origin the way in which a TSD received the point; null for other points
   * @throws BadMessageException with {@link Reason#BAD_VALUE} when it is not a finite number, or an
   *     integer that does not fit 64 bits; this object is then unchanged
   */
  public void parse(String text, @Nullable Origin origin) throws BadMessageException {
    if (looksLikeInteger(text)) {
      set(integer(text));
    } else {
      set(finite(text), origin);
    }
  }

  void set(long value) {
    isFloat = false;
    integer = value;
    length = integerLength(value);
  }

  void set(double finite, @Nullable Origin origin) {
    isFloat = true;
    number = finite;
    length = (float) finite == finite && origin != Origin.HTTP ? 4 : 8;
  }

  /** A TSD decides by these three characters, so {@code NaN} is an integer and fails. */
  private static boolean looksLikeInteger(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' || c == 'e' || c == 'E') {
        return false;
      }
    }
    return true;
  }

  private static long integer(String text) throws BadMessageException {
    int first = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    int digits = text.length() - first;
    // Long.parseLong takes digits of other scripts and any number of leading zeros.
    boolean legal = digits > 0 && digits <= MAX_DIGITS;
    for (int i = first; legal && i < text.length(); i++) {
      legal = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    if (legal) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        // Out of range; reported below.
      }
    }
    throw new BadMessageException(
        Reason.BAD_VALUE, "value must be a number, an integer on 64 bits, found " + text);
  }

  private static double finite(String text) throws BadMessageException {
    try {
      double parsed = Double.parseDouble(text);
      if (!Double.isNaN(parsed) && !Double.isInfinite(parsed)) {
        return parsed;
      }
    } catch (NumberFormatException e) {
      // Reported below, like NaN.
    }
    throw new BadMessageException(Reason.BAD_VALUE, "value must be a finite number, found " + text);
  }

  private static int integerLength(long value) {
    if (value == (byte) value) {
      return 1;
    }
    if (value == (short) value) {
      return 2;
    }
    return value == (int) value ? 4 : 8;
  }

  /** Whether it is stored as a floating-point number. */
  public boolean isFloat() {
    return isFloat;
  }

  /** Length of the stored value: 1, 2, 4 or 8 bytes; 4 or 8 of a floating-point number. */
  public int valueLength() {
    return length;
  }

  /** The stored bytes as a big-endian number of {@link #valueLength} bytes; the others are 0. */
  public long rawBits() {
    if (!isFloat) {
      int unused = 64 - 8 * length;
      return integer << unused >>> unused;
    }
    return length == 4
        ? Float.floatToRawIntBits((float) number) & 0xFFFF_FFFFL
        : Double.doubleToRawLongBits(number);
  }

  /**
   * The stored number as a double, as a query of the TSD returns it; large integers are rounded.
   */
  public double doubleValue() {
    return isFloat ? number : integer;
  }

  /**
   * The integer.
   *
   * @throws IllegalStateException when it is a floating-point number
   */
  public long longValue() {
    if (isFloat) {
      throw new IllegalStateException("the number must be an integer, found " + number);
    }
    return integer;
  }
}
