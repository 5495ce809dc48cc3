package io.tsdbsuite.bulk.parse;

/** Decimal digits, eight at a time; a word's lowest byte is the first digit. */
final class SwarDigits {
  private static final long ZEROS = 0x3030303030303030L;
  private static final long HIGHS = 0x8080808080808080L;

  /** Added to a digit it stays below 0x80, added to any larger character it does not. */
  private static final long ABOVE_NINE = 0x4646464646464646L;

  private static final long DOTS = 0x2e2e2e2e2e2e2e2eL;
  private static final long ONES = 0x0101010101010101L;

  private SwarDigits() {}

  /** Whether all eight bytes are digits. */
  static boolean areEight(long word) {
    return (((word + ABOVE_NINE) | (word - ZEROS) | word) & HIGHS) == 0;
  }

  /** The number that eight digits make. */
  static long eight(long word) {
    long pairs = ((word & 0x0f0f0f0f0f0f0f0fL) * (10 * 0x100 + 1)) >>> 8;
    long fours = ((pairs & 0x00ff00ff00ff00ffL) * (100 * 0x10000 + 1)) >>> 16;
    return ((fours & 0x0000ffff0000ffffL) * (10000 * 0x100000000L + 1)) >>> 32;
  }

  /**
   * The first bytes of a word as if zeros stood before them.
   *
   * @param len 1 to 8
   */
  static long padded(long word, int len) {
    int shift = 64 - 8 * len;
    return (word << shift) | (ZEROS & ~(-1L << shift));
  }

  /** Which byte of the word is the first dot, 8 if there is none. */
  static int dot(long word) {
    long x = word ^ DOTS;
    return Long.numberOfTrailingZeros((x - ONES) & ~x & HIGHS) >>> 3;
  }

  /**
   * The word without one of its bytes, a zero before it instead.
   *
   * @param index 0 to 6
   */
  static long without(long word, int index) {
    long before = word & ~(-1L << (8 * index));
    long after = word & (-1L << (8 * (index + 1)));
    return after | (before << 8) | '0';
  }

  /** Whether the character is a digit. */
  static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }
}
