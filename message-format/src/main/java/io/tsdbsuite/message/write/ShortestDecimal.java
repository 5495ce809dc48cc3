package io.tsdbsuite.message.write;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigInteger;

/**
 * Writes a double as {@code Double.toString} of Java 19 and later: the shortest decimal text that
 * reads back as the same double, and of those the nearest one. Into an array, without a String.
 *
 * <p>The idea is that of Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2022);
 * code and table are our own:
 *
 * <pre>
 *   lower          value          upper      lower, upper: half way to the doubles beside it, which
 *   ---[-------------|-------------]---      read back as the double if its last bit is 0
 *          |      |      |      |            multiples of a unit, the greatest power of ten that is
 *          A      B      C      D            not wider than a double's share of the line
 * </pre>
 *
 * <p>So at least one multiple of the unit is between lower and upper, and at most one multiple of
 * ten units. That one is the text, else the multiple of the unit next to the value. Value and
 * limits are computed as whole quarters of the unit, of which an odd number stands for what is
 * about it: a quarter is enough to tell a half from less and from more.
 */
final class ShortestDecimal {
  /** Longest text, bytes: {@code -1.2345678901234567E-308}. */
  static final int MAX_LENGTH = 24;

  private static final int FRACTION_BITS = 52;

  /** The first bit of a fraction, which the bits of a double leave out. */
  private static final long HIDDEN_BIT = 1L << FRACTION_BITS;

  private static final int EXPONENTS = 0x7ff;

  /** Exponent of the last bit of the least doubles. */
  private static final int LEAST_EXPONENT = -1074;

  /** The two least doubles have one digit: in their texts, which have two, 10^this is a unit. */
  private static final int LEAST_UNIT = -325;

  /** A text has two digits at least, so a value of fewer units than this is not shortened. */
  private static final int TWO_DIGITS = 100;

  private static final int DIGITS = 17;
  private static final int MANY_DIGITS = 16;
  private static final int PAIR = 100;

  /** Texts with so many digits before the point have no exponent. */
  private static final int MOST_WHOLE = 7;

  /** Texts with so many zeros behind the point and before the first digit have none either. */
  private static final int MOST_ZEROS = 2;

  private static final double LOG10_OF_2 = Math.log10(2);

  private static final int LEAST_POWER = -292;
  private static final int MOST_POWER = 325;

  /** Bits of a power of ten: a long without its sign, and a whole one. */
  private static final int POWER_BITS = 127;

  /** For each power of ten 10^p: 10^p 2^s, rounded up to 127 bits, the high half first. */
  private static final long[] POWERS = new long[2 * (MOST_POWER - LEAST_POWER + 1)];

  /** The s of each power of ten. */
  private static final int[] SHIFTS = new int[MOST_POWER - LEAST_POWER + 1];

  private static final long[] TENS = new long[DIGITS + 1];
  private static final byte[] PAIRS = new byte[2 * PAIR];

  /** {@code Math.multiplyHigh}, which Java 8 lacks; a constant, so that compiled code calls it. */
  private static final MethodHandle HIGH = high();

  static {
    for (int p = LEAST_POWER; p <= MOST_POWER; p++) {
      setPower(p);
    }
    TENS[0] = 1;
    for (int i = 1; i < TENS.length; i++) {
      TENS[i] = 10 * TENS[i - 1];
    }
    for (int i = 0; i < PAIR; i++) {
      PAIRS[2 * i] = (byte) ('0' + i / 10);
      PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
    }
  }

  private ShortestDecimal() {}

  private static void setPower(int p) {
    BigInteger ten = BigInteger.TEN.pow(Math.abs(p));
    int shift = p < 0 ? POWER_BITS - 1 + ten.bitLength() : POWER_BITS - ten.bitLength();
    BigInteger numerator = (p < 0 ? BigInteger.ONE : ten).shiftLeft(Math.max(0, shift));
    BigInteger denominator = (p < 0 ? ten : BigInteger.ONE).shiftLeft(Math.max(0, -shift));
    BigInteger up = numerator.add(denominator).subtract(BigInteger.ONE).divide(denominator);
    int at = p - LEAST_POWER;
    POWERS[2 * at] = up.shiftRight(Long.SIZE).longValue();
    POWERS[2 * at + 1] = up.longValue();
    SHIFTS[at] = shift;
  }

  private static MethodHandle high() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodType type = MethodType.methodType(long.class, long.class, long.class);
    try {
      try {
        return lookup.findStatic(Math.class, "multiplyHigh", type);
      } catch (NoSuchMethodException java8) {
        return lookup.findStatic(ShortestDecimal.class, "plainHigh", type);
      }
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Writes a finite double, with a decimal point.
   *
   * @param to has room for {@link #MAX_LENGTH} bytes
   * @return the index behind the text
   */
  static int write(double value, byte[] to, int from) {
    long bits = Double.doubleToRawLongBits(value);
    int at = from;
    if (bits < 0) {
      to[at++] = '-';
    }
    long fraction = bits & (HIDDEN_BIT - 1);
    int field = (int) (bits >>> FRACTION_BITS) & EXPONENTS;
    if (field == 0) {
      return subnormal(fraction, to, at);
    }
    int exponent = field - 1 + LEAST_EXPONENT;
    long integer = HIDDEN_BIT | fraction;
    // A whole number of less than 2^53 is its own shortest text.
    if (exponent <= 0
        && exponent >= -FRACTION_BITS
        && Long.numberOfTrailingZeros(integer) >= -exponent) {
      return digits(integer >> -exponent, 0, to, at);
    }
    // Doubles below a power of two are half as far apart.
    boolean isPower = fraction == 0 && field > 1;
    return shortest(integer, exponent, isPower ? 1 : 2, to, at);
  }

  private static int subnormal(long fraction, byte[] to, int at) {
    if (fraction == 0) {
      to[at] = '0';
      to[at + 1] = '.';
      to[at + 2] = '0';
      return at + 3;
    }
    if (fraction <= 2) {
      return digits(fraction == 1 ? 49 : 99, LEAST_UNIT, to, at);
    }
    return shortest(fraction, LEAST_EXPONENT, 2, to, at);
  }

  /**
   * Writes a double.
   *
   * @param integer the double is this times 2^exponent
   * @param below distance of its lower limit, in quarters of 2^exponent; that of the upper is 2
   */
  private static int shortest(long integer, int exponent, int below, byte[] to, int at) {
    int odd = (int) integer & 1;
    // Only below a power of two there may be no multiple of the first unit.
    for (int unit = (int) Math.floor(exponent * LOG10_OF_2); ; unit--) {
      int power = -unit - LEAST_POWER;
      long high = POWERS[2 * power];
      long low = POWERS[2 * power + 1];
      int shift = exponent + 2 * Long.SIZE - SHIFTS[power];
      long quarters = 4 * integer;
      long value = times(quarters << shift, high, low);
      long lower = times((quarters - below) << shift, high, low);
      long upper = times((quarters + 2) << shift, high, low);
      long first = (lower + 3 + odd) >> 2;
      long last = (upper - odd) >> 2;
      if (value >= 4 * TWO_DIGITS) {
        long tens = last / 10 * 10;
        if (tens >= first) {
          return digits(tens, unit, to, at);
        }
      }
      if (first <= last) {
        // The nearer one; of two the even one.
        long nearest = (value + 1 + ((value >> 2) & 1)) >> 2;
        return digits(Math.max(first, Math.min(last, nearest)), unit, to, at);
      }
    }
  }

  /**
   * A number times a power of ten, less its last 128 bits; odd if those are not all zeros.
   *
   * <p>The power was rounded up, which adds at most the number. If the exact product has a rest, it
   * is more than that, and at least as far below the next whole number: so found for each exponent
   * by continued fractions.
   *
   * @param number at least 0
   */
  private static long times(long number, long powerHigh, long powerLow) {
    // The sign bit of the low half counts as a digit.
    long carry = high(number, powerLow) + ((powerLow >> (Long.SIZE - 1)) & number);
    long middle = number * powerHigh;
    long sum = middle + carry;
    long product = high(number, powerHigh);
    if (sum + Long.MIN_VALUE < middle + Long.MIN_VALUE) {
      product++;
    }
    if (sum == 0) {
      long low = number * powerLow;
      return low >= 0 && low <= number ? product : product | 1;
    }
    return product | 1;
  }

  private static long high(long x, long y) {
    try {
      return (long) HIGH.invokeExact(x, y);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The high 64 bits of a product of signed numbers. */
  static long plainHigh(long x, long y) {
    long x1 = x >> 32;
    long x0 = x & 0xffffffffL;
    long y1 = y >> 32;
    long y0 = y & 0xffffffffL;
    long first = x1 * y0 + ((x0 * y0) >>> 32);
    long second = x0 * y1 + (first & 0xffffffffL);
    return x1 * y1 + (first >> 32) + (second >> 32);
  }

  /** Writes number 10^exponent; the number has 17 digits at most, and is at least 1. */
  private static int digits(long number, int exponent, byte[] to, int at) {
    // Shorter ones are rare: JsonText has a shorter way for them.
    int length = number < TENS[MANY_DIGITS - 1] ? 1 : MANY_DIGITS;
    while (length < DIGITS && number >= TENS[length]) {
      length++;
    }
    // Number of digits before the point.
    int whole = length + exponent;
    if (whole > MOST_WHOLE || whole < -MOST_ZEROS) {
      plain(number, length, to, at + 1);
      int end = pointed(1, length, to, at);
      to[end] = 'E';
      return exponent(whole - 1, to, end + 1);
    }
    if (whole > 0) {
      plain(number, length, to, at + 1);
      return pointed(whole, length, to, at);
    }
    to[at] = '0';
    to[at + 1] = '.';
    to[at + 2] = '0';
    to[at + 3] = '0';
    int first = at + 2 - whole;
    plain(number, length, to, first);
    return trimmed(to, first, first + length);
  }

  /** Moves the first ones of digits, which begin behind a place, to that place, and the point. */
  private static int pointed(int whole, int length, byte[] to, int at) {
    // Digits that are missing before the point, and one behind it.
    int end = at + 1 + length;
    for (; end <= at + 1 + whole; end++) {
      to[end] = '0';
    }
    for (int i = at; i < at + whole; i++) {
      to[i] = to[i + 1];
    }
    to[at + whole] = '.';
    return trimmed(to, at + whole + 1, end);
  }

  /** The end of a text without zeros; one digit behind the point stays. */
  private static int trimmed(byte[] to, int first, int end) {
    int last = end - 1;
    while (last > first && to[last] == '0') {
      last--;
    }
    return last + 1;
  }

  /** Writes the digits of a number, from the last pair on. */
  private static void plain(long number, int length, byte[] to, int at) {
    long rest = number;
    int end = at + length;
    // Division of an int is faster.
    while (rest > Integer.MAX_VALUE) {
      long hundreds = rest / PAIR;
      end -= 2;
      pair((int) (rest - hundreds * PAIR), to, end);
      rest = hundreds;
    }
    int small = (int) rest;
    while (end - at >= 2) {
      int hundreds = small / PAIR;
      end -= 2;
      pair(small - hundreds * PAIR, to, end);
      small = hundreds;
    }
    if (end > at) {
      to[at] = (byte) ('0' + small);
    }
  }

  private static void pair(int number, byte[] to, int at) {
    to[at] = PAIRS[2 * number];
    to[at + 1] = PAIRS[2 * number + 1];
  }

  private static int exponent(int exponent, byte[] to, int from) {
    int at = from;
    int size = exponent;
    if (size < 0) {
      to[at++] = '-';
      size = -size;
    }
    if (size >= PAIR) {
      to[at++] = (byte) ('0' + size / PAIR);
      pair(size % PAIR, to, at);
      return at + 2;
    }
    if (size >= 10) {
      pair(size, to, at);
      return at + 2;
    }
    to[at] = (byte) ('0' + size);
    return at + 1;
  }
}
