package io.tsdbsuite.message.write;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigInteger;

/**
 * Writes a double as {@code Double.toString} of Java 19 and later: the shortest decimal text that
 * reads back as the same double, and of those the nearest one. Into an array, without a String.
 *
 * <p>The algorithm is Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2022), whose
 * names the variables have. A double is c 2^q; the doubles that round to it lie between cl 2^q and
 * cr 2^q. These are taken times 10^-k, where 10^k is the greatest power of ten that is not wider
 * than the gap: at most two whole numbers are between, of which one ends with a zero at most.
 */
final class ShortestDecimal {
  /** Longest text, bytes: {@code -1.2345678901234567E-308}. */
  static final int MAX_LENGTH = 24;

  private static final int FRACTION_BITS = 52;
  private static final long IMPLICIT = 1L << FRACTION_BITS;
  private static final int MAX_BIASED = 0x7ff;

  /** q of the subnormal doubles. */
  private static final int LEAST_Q = -1074;

  /** Of fewer units a subnormal has one digit only, and the text two: it takes one more. */
  private static final int TINY = 3;

  private static final int DIGITS = 17;
  private static final int HALF = 8;
  private static final int HALF_POWER = 100_000_000;
  private static final int PAIR = 100;

  /** Texts with so many digits before the point have no exponent. */
  private static final int MOST_WHOLE = 7;

  /** Texts with so many zeros behind the point and before the first digit have none either. */
  private static final int MOST_ZEROS = 2;

  private static final int LEAST_POWER = -292;
  private static final int MOST_POWER = 324;
  private static final int POWER_BITS = 126;
  private static final int LIMB_BITS = 63;
  private static final long LIMB = Long.MAX_VALUE;

  /** For each power of ten 10^p: 10^p 2^s as 126 bits, rounded up; two limbs of 63 bits. */
  private static final long[] POWERS = powers();

  private static final long[] TENS = new long[DIGITS + 2];
  private static final byte[] PAIRS = new byte[2 * PAIR];

  /** {@code Math.multiplyHigh}, which Java 8 lacks; a constant, so that compiled code calls it. */
  private static final MethodHandle HIGH = high();

  static {
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

  private static long[] powers() {
    long[] powers = new long[2 * (MOST_POWER - LEAST_POWER + 1)];
    for (int p = LEAST_POWER; p <= MOST_POWER; p++) {
      BigInteger power = BigInteger.TEN.pow(Math.abs(p));
      BigInteger bits =
          p < 0
              ? BigInteger.ONE.shiftLeft(POWER_BITS - 1 + power.bitLength()).divide(power)
              : power.shiftLeft(POWER_BITS - power.bitLength());
      BigInteger up = bits.add(BigInteger.ONE);
      powers[2 * (p - LEAST_POWER)] = up.shiftRight(LIMB_BITS).longValue();
      powers[2 * (p - LEAST_POWER) + 1] = up.longValue() & LIMB;
    }
    return powers;
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
    long t = bits & (IMPLICIT - 1);
    int biased = (int) (bits >>> FRACTION_BITS) & MAX_BIASED;
    if (biased > 0) {
      int q = biased + LEAST_Q - 1;
      long c = IMPLICIT | t;
      // A whole number of less than 2^53 is its own shortest text.
      if (q <= 0 && q >= -FRACTION_BITS && Long.numberOfTrailingZeros(c) >= -q) {
        return digits(c >> -q, 0, to, at);
      }
      return decimal(q, c, 0, to, at);
    }
    if (t == 0) {
      to[at] = '0';
      to[at + 1] = '.';
      to[at + 2] = '0';
      return at + 3;
    }
    return t < TINY ? decimal(LEAST_Q, 10 * t, -1, to, at) : decimal(LEAST_Q, t, 0, to, at);
  }

  /** Writes c 2^q 10^dk. */
  private static int decimal(int q, long c, int dk, byte[] to, int at) {
    int odd = (int) c & 1;
    long cb = c << 2;
    long cbl;
    int k;
    if (c != IMPLICIT || q == LEAST_Q) {
      cbl = cb - 2;
      k = (int) ((q * 661_971_961_083L) >> 41);
    } else {
      // Doubles below a power of two are half as far apart.
      cbl = cb - 1;
      k = (int) ((q * 661_971_961_083L - 274_743_187_321L) >> 41);
    }
    int h = q + (int) ((-k * 913_124_641_741L) >> 38) + 2;
    long g1 = POWERS[2 * (-k - LEAST_POWER)];
    long g0 = POWERS[2 * (-k - LEAST_POWER) + 1];
    long vb = scaled(g1, g0, cb << h);
    long vbl = scaled(g1, g0, cbl << h) + odd;
    long vbr = scaled(g1, g0, (cb + 2) << h) - odd;
    long s = vb >> 2;
    if (s >= 100) {
      long down = s / 10 * 10;
      boolean isDown = vbl <= down << 2;
      boolean isUp = (down + 10) << 2 <= vbr;
      if (isDown != isUp) {
        return digits(isDown ? down : down + 10, k + dk, to, at);
      }
    }
    boolean isDown = vbl <= s << 2;
    boolean isUp = (s + 1) << 2 <= vbr;
    if (isDown == isUp) {
      long rest = vb - ((2 * s + 1) << 1);
      isDown = rest < 0 || (rest == 0 && (s & 1) == 0);
    }
    return digits(isDown ? s : s + 1, k + dk, to, at);
  }

  /** A power of ten times cp, less its last 126 bits; the last bit tells if there is a rest. */
  private static long scaled(long g1, long g0, long cp) {
    long x1 = high(g0, cp);
    long y0 = g1 * cp;
    long y1 = high(g1, cp);
    long z = (y0 >>> 1) + x1;
    long w = y1 + (z >>> LIMB_BITS);
    return w | (((z & LIMB) + LIMB) >>> LIMB_BITS);
  }

  private static long high(long x, long y) {
    try {
      return (long) HIGH.invokeExact(x, y);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The high 64 bits of a product; neither factor is negative. */
  static long plainHigh(long x, long y) {
    long x1 = x >>> 32;
    long x0 = x & 0xffffffffL;
    long y1 = y >>> 32;
    long y0 = y & 0xffffffffL;
    long middle = x1 * y0 + ((x0 * y0) >>> 32);
    return x1 * y1 + (middle >>> 32) + (((middle & 0xffffffffL) + x0 * y1) >>> 32);
  }

  /** Writes f 10^e, of at most 17 digits, at least 1, without zeros at its end. */
  private static int digits(long f, int e, byte[] to, int at) {
    // Of a number of n bits, floor(n log10(2)), or one more.
    int bits = Long.SIZE - Long.numberOfLeadingZeros(f);
    int length = (int) ((bits * 661_971_961_083L) >> 41);
    if (f >= TENS[length]) {
      length++;
    }
    long all = f * TENS[DIGITS - length];
    // Number of digits before the point.
    int whole = length + e;
    if (whole > MOST_WHOLE || whole < -MOST_ZEROS) {
      int end = split(all, 1, to, at);
      to[end] = 'E';
      return exponent(whole - 1, to, end + 1);
    }
    if (whole > 0) {
      return split(all, whole, to, at);
    }
    to[at] = '0';
    to[at + 1] = '.';
    to[at + 2] = '0';
    to[at + 3] = '0';
    int first = at + 2 - whole;
    seventeen(all, to, first);
    return trimmed(to, first, first + DIGITS);
  }

  /** Writes 17 digits with a point behind the first ones. */
  private static int split(long all, int whole, byte[] to, int at) {
    seventeen(all, to, at + 1);
    for (int i = at; i < at + whole; i++) {
      to[i] = to[i + 1];
    }
    to[at + whole] = '.';
    return trimmed(to, at + whole + 1, at + 1 + DIGITS);
  }

  /** The end of a text without zeros; one digit behind the point stays. */
  private static int trimmed(byte[] to, int first, int end) {
    int last = end - 1;
    while (last > first && to[last] == '0') {
      last--;
    }
    return last + 1;
  }

  private static void seventeen(long all, byte[] to, int at) {
    long high = all / HALF_POWER;
    int first = (int) (high / HALF_POWER);
    to[at] = (byte) ('0' + first);
    eight((int) (high - (long) first * HALF_POWER), to, at + 1);
    eight((int) (all - high * HALF_POWER), to, at + 1 + HALF);
  }

  private static void eight(int number, byte[] to, int at) {
    int high = number / (PAIR * PAIR);
    four(high, to, at);
    four(number - high * PAIR * PAIR, to, at + 4);
  }

  private static void four(int number, byte[] to, int at) {
    int high = number / PAIR;
    pair(high, to, at);
    pair(number - high * PAIR, to, at + 2);
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
