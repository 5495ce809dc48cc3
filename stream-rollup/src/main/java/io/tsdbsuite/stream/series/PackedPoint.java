package io.tsdbsuite.stream.series;

/**
 * A point as bytes: 3 to 16 of them, 5 or 6 for a number with two decimals. All numbers are
 * little-endian.
 *
 * <pre>
 *   1-5  seconds since an origin: 7 bits a byte, lowest first, the high bit on all but the last
 *   1    head: flags of 6 bits, and the number of decimals: 0 (bytes as stored), 2, 4 or 6
 *   2    milliseconds, if the flags have MILLIS
 *   1-8  value: its bytes as stored; with decimals a signed integer of 1 to 4 bytes
 * </pre>
 *
 * <p>A double that is exactly an integer of 32 bits divided by 100, 10^4 or 10^6 becomes that
 * integer; the division gives back the same bits.
 */
final class PackedPoint {
  /** Length of the longest point, bytes. */
  static final int MAX = 16;

  private static final int FLAGS_SHIFT = 10;
  private static final int FLAGS = 0x3f;
  private static final int MILLIS = SeriesEntry.MILLIS >>> FLAGS_SHIFT;
  private static final int LENGTH_SHIFT = SeriesEntry.LENGTH_SHIFT - FLAGS_SHIFT;
  private static final int LENGTH = 3 << LENGTH_SHIFT;
  private static final int DECIMALS_SHIFT = 6;
  private static final int DOUBLE = SeriesEntry.FLOAT | (3 << SeriesEntry.LENGTH_SHIFT);
  private static final double[] DIVISORS = {1, 1e2, 1e4, 1e6};

  private PackedPoint() {}

  /**
   * Writes a point.
   *
   * @param seconds since the origin, at least 0
   * @param millis of the second
   * @param flags column and marks as in {@link SeriesEntry}
   * @param bits the bytes of the stored value as an unsigned big-endian number
   * @return the index behind it
   */
  static int write(byte[] a, int at, int seconds, int millis, int flags, long bits) {
    int head = writeSeconds(a, at, seconds);
    int value = head + 1;
    if ((flags & SeriesEntry.MILLIS) != 0) {
      a[value++] = (byte) millis;
      a[value++] = (byte) (millis >>> 8);
    }
    int decimals = (flags & DOUBLE) == DOUBLE ? decimals(bits) : 0;
    int packed = flags >>> FLAGS_SHIFT;
    if (decimals == 0) {
      a[head] = (byte) packed;
      return writeNumber(a, value, PointColumn.length(flags), bits);
    }
    int number = (int) scaled(bits, decimals);
    int length = length(number);
    int coded = ((length - 1) << LENGTH_SHIFT) | (decimals << DECIMALS_SHIFT);
    a[head] = (byte) ((packed & ~LENGTH) | coded);
    return writeNumber(a, value, length, number);
  }

  /** Writes seconds since the origin; returns the index behind them. */
  static int writeSeconds(byte[] a, int at, int seconds) {
    int to = at;
    int rest = seconds;
    for (; rest > 0x7f; rest >>>= 7) {
      a[to++] = (byte) (rest | 0x80);
    }
    a[to++] = (byte) rest;
    return to;
  }

  /** Seconds since the origin. */
  static int seconds(byte[] a, int at) {
    int seconds = 0;
    int i = at;
    int shift = 0;
    for (; a[i] < 0; i++) {
      seconds |= (a[i] & 0x7f) << shift;
      shift += 7;
    }
    return seconds | (a[i] << shift);
  }

  /** Index of the byte behind the seconds. */
  static int head(byte[] a, int at) {
    int i = at;
    while (a[i] < 0) {
      i++;
    }
    return i + 1;
  }

  /** Milliseconds of the second. */
  static int millis(byte[] a, int at) {
    int head = head(a, at);
    return (a[head] & MILLIS) == 0 ? 0 : (a[head + 1] & 0xff) | ((a[head + 2] & 0xff) << 8);
  }

  /** Column and marks as in {@link SeriesEntry}. */
  static int flags(byte[] a, int at) {
    int head = a[head(a, at)] & 0xff;
    int flags = (head & FLAGS) << FLAGS_SHIFT;
    return head >>> DECIMALS_SHIFT == 0 ? flags : flags | DOUBLE;
  }

  /** The bytes of the stored value as an unsigned big-endian number. */
  static long bits(byte[] a, int at) {
    int head = head(a, at);
    int value = value(a, head);
    int length = valueLength(a[head]);
    int decimals = (a[head] & 0xff) >>> DECIMALS_SHIFT;
    long bits = 0;
    for (int i = length - 1; i >= 0; i--) {
      bits = (bits << Byte.SIZE) | (a[value + i] & 0xff);
    }
    if (decimals == 0) {
      return bits;
    }
    int unused = Long.SIZE - length * Byte.SIZE;
    return quotient((int) (bits << unused >> unused), decimals);
  }

  /** Index of the byte behind the point. */
  static int end(byte[] a, int at) {
    int head = head(a, at);
    return value(a, head) + valueLength(a[head]);
  }

  private static int value(byte[] a, int head) {
    return (a[head] & MILLIS) == 0 ? head + 1 : head + 3;
  }

  private static int valueLength(byte head) {
    int length = (head & LENGTH) >>> LENGTH_SHIFT;
    return (head & 0xff) >>> DECIMALS_SHIFT == 0 ? 1 << length : length + 1;
  }

  /** Index of the divisor that a double is packed with; 0 if none gives back its bits. */
  private static int decimals(long bits) {
    for (int i = 1; i < DIVISORS.length; i++) {
      // A number beyond 32 bits becomes the nearest int, whose quotient differs.
      if (quotient((int) scaled(bits, i), i) == bits) {
        return i;
      }
    }
    return 0;
  }

  private static double scaled(long bits, int decimals) {
    return Math.rint(Double.longBitsToDouble(bits) * DIVISORS[decimals]);
  }

  private static long quotient(int number, int decimals) {
    return Double.doubleToRawLongBits(number / DIVISORS[decimals]);
  }

  /** Bytes that a signed number needs. */
  private static int length(int number) {
    int length = 1;
    while (number >> (length * Byte.SIZE - 1) != number >> (Integer.SIZE - 1)) {
      length++;
    }
    return length;
  }

  private static int writeNumber(byte[] a, int at, int length, long number) {
    for (int i = 0; i < length; i++) {
      a[at + i] = (byte) (number >>> (i * Byte.SIZE));
    }
    return at + length;
  }
}
