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

  /** Eight bytes. */
  static long load(byte[] b, int off) {
    return (long) LONG.get(b, off);
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
