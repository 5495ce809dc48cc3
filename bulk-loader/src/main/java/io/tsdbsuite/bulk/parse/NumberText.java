package io.tsdbsuite.bulk.parse;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;

/**
 * Reads a number as a TSD does: a token with {@code .}, {@code e} or {@code E} is floating, any
 * other an integer of 64 bits. NaN, infinities, hexadecimal digits, suffixes and values beyond the
 * range of a double are refused. Leading zeros and a {@code +} are good. The last result is in the
 * fields.
 */
final class NumberText {
  /** Kind of a token; for a refused one, the rule that it breaks. */
  enum Kind {
    INTEGER(""),
    FLOATING(""),
    TOO_LARGE("an integer must fit in 64 bits"),
    INFINITE("a floating point number must be finite as a double"),
    NOT_A_NUMBER("a value must be a decimal number");

    private final String rule;

    Kind(String rule) {
      this.rule = rule;
    }

    /** The rule that the token breaks; empty for numbers. */
    String rule() {
      return rule;
    }
  }

  /** Integers up to it are doubles without rounding. */
  private static final long EXACT = 1L << 53;

  /** Powers of ten that are doubles without rounding. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  /** Number of decimal digits that always fit in 64 bits, unsigned. */
  private static final int MAX_DIGITS = 19;

  /** Exponents beyond it give 0 or infinity with any mantissa of a line. */
  private static final int MAX_EXPONENT = 100_000_000;

  /** The value if it is an integer. */
  long integer;

  /** The value if it is floating. */
  double floating;

  private int pos;
  private long mantissa;
  private int exponent;

  /**
   * Reads a token.
   *
   * @param off its first byte; the array goes on for {@link Words#SLACK} bytes behind {@code end}
   */
  Kind read(byte[] b, int off, int end) {
    int p = off;
    boolean negative = false;
    if (p < end && (b[p] == '-' || b[p] == '+')) {
      negative = b[p] == '-';
      p++;
    }
    int len = end - p;
    if (len >= 1 && len <= 8) {
      long word = SwarDigits.padded(Words.load(b, p), len);
      if (SwarDigits.areEight(word)) {
        long value = SwarDigits.eight(word);
        integer = negative ? -value : value;
        return Kind.INTEGER;
      }
      int dot = SwarDigits.dot(word);
      if (dot < 7) {
        word = SwarDigits.without(word, dot);
        if (SwarDigits.areEight(word)) {
          double value = SwarDigits.eight(word) / POWERS[7 - dot];
          floating = negative ? -value : value;
          return Kind.FLOATING;
        }
      }
    }
    return readLong(b, off, p, end, negative);
  }

  /** Reads a token as a floating point number, even if it has the form of an integer. */
  Kind readFloating(byte[] b, int off, int end) {
    Kind kind = read(b, off, end);
    if (kind == Kind.INTEGER) {
      floating = integer == 0 && b[off] == '-' ? -0.0 : integer;
      return Kind.FLOATING;
    }
    if (kind == Kind.TOO_LARGE) {
      floating = JavaDoubleParser.parseDouble(b, off, end - off);
      return Double.isInfinite(floating) ? Kind.INFINITE : Kind.FLOATING;
    }
    return kind;
  }

  /** Reads a token; an integer beyond 64 bits as a floating point number. */
  Kind readAny(byte[] b, int off, int end) {
    Kind kind = read(b, off, end);
    return kind == Kind.TOO_LARGE ? readFloating(b, off, end) : kind;
  }

  private Kind readLong(byte[] b, int off, int first, int end, boolean negative) {
    pos = first;
    mantissa = 0;
    skipZeros(b, end);
    int significant = digits(b, end);
    int whole = pos - first;
    if (pos == end) {
      return whole == 0 ? Kind.NOT_A_NUMBER : integer(significant, negative);
    }
    int fraction = 0;
    if (b[pos] == '.') {
      pos++;
      int dot = pos;
      if (significant == 0) {
        skipZeros(b, end);
      }
      significant += digits(b, end);
      fraction = pos - dot;
    }
    if (whole + fraction == 0 || !exponent(b, end)) {
      return Kind.NOT_A_NUMBER;
    }
    return floating(b, off, end, negative, significant, exponent - fraction);
  }

  private void skipZeros(byte[] b, int end) {
    while (pos < end && b[pos] == '0') {
      pos++;
    }
  }

  /** Reads digits into the mantissa, which is wrong from the 20th on; returns their number. */
  private int digits(byte[] b, int end) {
    int start = pos;
    long m = mantissa;
    int p = start;
    while (end - p >= 8 && SwarDigits.areEight(Words.load(b, p))) {
      m = m * 100_000_000 + SwarDigits.eight(Words.load(b, p));
      p += 8;
    }
    while (p < end && SwarDigits.isDigit(b[p])) {
      m = m * 10 + (b[p] - '0');
      p++;
    }
    mantissa = m;
    pos = p;
    return p - start;
  }

  /** Reads the exponent, which may be missing, to the end; false if something else is there. */
  private boolean exponent(byte[] b, int end) {
    exponent = 0;
    int p = pos;
    if (p == end) {
      return true;
    }
    if (b[p] != 'e' && b[p] != 'E') {
      return false;
    }
    p++;
    boolean down = p < end && b[p] == '-';
    if (p < end && (b[p] == '-' || b[p] == '+')) {
      p++;
    }
    int value = 0;
    int digits = p;
    while (p < end && SwarDigits.isDigit(b[p])) {
      value = Math.min(MAX_EXPONENT, value * 10 + (b[p] - '0'));
      p++;
    }
    exponent = down ? -value : value;
    return p == end && p > digits;
  }

  private Kind integer(int significant, boolean negative) {
    boolean fits = mantissa >= 0 || (negative && mantissa == Long.MIN_VALUE);
    if (significant > MAX_DIGITS || !fits) {
      return Kind.TOO_LARGE;
    }
    integer = negative ? -mantissa : mantissa;
    return Kind.INTEGER;
  }

  private Kind floating(
      byte[] b, int off, int end, boolean negative, int significant, int exponent10) {
    boolean exact = significant <= MAX_DIGITS && Long.compareUnsigned(mantissa, EXACT) <= 0;
    if (exact && exponent10 >= -22 && exponent10 <= 22) {
      // Both are exact, so one operation rounds once (Clinger 1990).
      double value =
          exponent10 < 0 ? mantissa / POWERS[-exponent10] : mantissa * POWERS[exponent10];
      floating = negative ? -value : value;
      return Kind.FLOATING;
    }
    floating = JavaDoubleParser.parseDouble(b, off, end - off);
    return Double.isInfinite(floating) ? Kind.INFINITE : Kind.FLOATING;
  }
}
