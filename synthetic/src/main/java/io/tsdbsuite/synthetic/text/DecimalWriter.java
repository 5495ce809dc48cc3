package io.tsdbsuite.synthetic.text;

import java.nio.charset.StandardCharsets;

/**
 * Writes numbers as ASCII decimals into a byte array. Each method writes at {@code off} and returns
 * the offset after the number.
 */
public final class DecimalWriter {
  /** Maximum length of a number, bytes. */
  public static final int MOST = 32;

  private static final byte[] PAIRS = pairs();
  private static final byte[] LEAST =
      String.valueOf(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);
  private static final int BINARY_BITS = 10;
  private static final int[] POWERS_OF_5 = powersOf5();
  private static final long[] POWERS_OF_10 = powersOf10();

  private DecimalWriter() {}

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }

  private static long[] powersOf10() {
    long[] powers = new long[19];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  private static int[] powersOf5() {
    int[] powers = new int[BINARY_BITS + 1];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 5;
    }
    return powers;
  }

  /** Writes an integer. */
  public static int integer(long number, byte[] out, int off) {
    if (number >= 0) {
      return padded(number, length(number), out, off);
    }
    if (number == Long.MIN_VALUE) {
      System.arraycopy(LEAST, 0, out, off, LEAST.length);
      return off + LEAST.length;
    }
    out[off] = '-';
    return padded(-number, length(-number), out, off + 1);
  }

  private static int length(long number) {
    // log10(2) is about 1233 / 4096; the estimate is exact or one too small.
    int guess = ((Long.SIZE - Long.numberOfLeadingZeros(number | 1)) * 1233) >>> 12;
    return number >= POWERS_OF_10[guess] ? guess + 1 : Math.max(guess, 1);
  }

  /**
   * Writes a number with leading zeros.
   *
   * @param number 0 or more
   * @param length number of digits
   */
  public static int padded(long number, int length, byte[] out, int off) {
    int at = off + length;
    long rest = number;
    while (at - off >= 2) {
      int pair = (int) (rest % 100) << 1;
      rest /= 100;
      at -= 2;
      out[at] = PAIRS[pair];
      out[at + 1] = PAIRS[pair + 1];
    }
    if (at > off) {
      out[off] = (byte) ('0' + rest % 10);
    }
    return off + length;
  }

  /** Writes a number of hundredths with two decimals: 1205 as {@code 12.05}. */
  public static int hundredths(long number, byte[] out, int off) {
    return fraction(number / 100, Math.abs(number % 100), 2, number < 0, out, off);
  }

  /**
   * Writes a number of 1024ths exactly, with at least one decimal: 1025 as {@code 1.0009765625}.
   */
  public static int binary(long number, byte[] out, int off) {
    long size = Math.abs(number);
    int part = (int) size & ((1 << BINARY_BITS) - 1);
    int zeros = part == 0 ? BINARY_BITS - 1 : Integer.numberOfTrailingZeros(part);
    int digits = BINARY_BITS - zeros;
    long decimals = (long) (part >> zeros) * POWERS_OF_5[digits];
    return fraction(size >> BINARY_BITS, decimals, digits, number < 0, out, off);
  }

  private static int fraction(
      long whole, long decimals, int digits, boolean negative, byte[] out, int off) {
    int at = off;
    if (negative) {
      out[at++] = '-';
    }
    long size = Math.abs(whole);
    at = padded(size, length(size), out, at);
    out[at++] = '.';
    return padded(decimals, digits, out, at);
  }
}
