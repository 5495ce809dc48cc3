package io.tsdbsuite.bulk.parse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of text at a time. The first byte of the text is the lowest byte of the word. Arrays
 * must go on for {@link #SLACK} bytes behind the last one that is looked at.
 */
final class Words {
  /** Bytes that are read, and ignored, behind the end of a text. */
  static final int SLACK = 8;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long NEWLINES = ONES * '\n';

  /** Above the last byte that ends a token: control characters and the blank end one. */
  private static final long TOKENS = ONES * (' ' + 1);

  private Words() {}

  /** Writes eight bytes. */
  static void store(byte[] b, int off, long word) {
    LONG.set(b, off, word);
  }

  /**
   * Number of bytes before the first that is no plain one of a name in quotes: a quote, a
   * backslash, {@code =}, a blank, a control character, or none of ASCII.
   */
  static int plain(long word) {
    long quote = word ^ (ONES * '"');
    long backslash = word ^ (ONES * '\\');
    long equals = word ^ (ONES * '=');
    long found =
        ((quote - ONES) & ~quote)
            | ((backslash - ONES) & ~backslash)
            | ((equals - ONES) & ~equals)
            | ((word - TOKENS) & ~word)
            | word;
    return Long.numberOfTrailingZeros(found & HIGHS) >>> 3;
  }

  /** Eight bytes. */
  static long load(byte[] b, int off) {
    return (long) LONG.get(b, off);
  }

  /**
   * The closing quote of a string without a line break, -1 if there is none before {@code end}.
   *
   * @param off behind its opening quote
   */
  static int stringEnd(byte[] b, int off, int end) {
    int p = off;
    while (p < end) {
      int quiet = quiet(load(b, p));
      p += quiet;
      if (quiet < Long.BYTES && p < end) {
        if (b[p] == '"') {
          return p;
        }
        if (b[p] != '\\' || (b[p + 1] >= 0 && b[p + 1] < ' ')) {
          return -1;
        }
        p += 2;
      }
    }
    return -1;
  }

  /** Number of bytes before the first quote, backslash or line break. */
  private static int quiet(long word) {
    long quote = word ^ (ONES * '"');
    long backslash = word ^ (ONES * '\\');
    long newline = word ^ NEWLINES;
    long found =
        ((quote - ONES) & ~quote)
            | ((backslash - ONES) & ~backslash)
            | ((newline - ONES) & ~newline);
    return Long.numberOfTrailingZeros(found & HIGHS) >>> 3;
  }

  /** Where the first {@code \n} is, {@code end} if there is none before it. */
  static int newline(byte[] b, int off, int end) {
    int p = off;
    while (p < end) {
      long x = load(b, p) ^ NEWLINES;
      long found = (x - ONES) & ~x & HIGHS;
      if (found != 0) {
        return Math.min(end, p + (Long.numberOfTrailingZeros(found) >>> 3));
      }
      p += 8;
    }
    return end;
  }

  /** Where the first byte up to the blank is, {@code end} if there is none before it. */
  static int blank(byte[] b, int off, int end) {
    int p = off;
    while (p < end) {
      long x = load(b, p);
      long found = (x - TOKENS) & ~x & HIGHS;
      if (found != 0) {
        return Math.min(end, p + (Long.numberOfTrailingZeros(found) >>> 3));
      }
      p += 8;
    }
    return end;
  }

  /** Where the first byte is that is neither blank nor tab, {@code end} if there is none. */
  static int notBlank(byte[] b, int off, int end) {
    int p = off;
    while (p < end && isBlank(b[p])) {
      p++;
    }
    return p;
  }

  /** Whether a byte separates tokens. */
  static boolean isBlank(byte c) {
    return c == ' ' || c == '\t';
  }
}
