package io.tsdbsuite.bench.load;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The text of a batch; the same buffer is filled over and over. */
final class TextBuffer {
  private static final int START = 8192;
  private static final int MAX_DIGITS = 19;
  private static final int THOUSAND = 1000;

  private byte[] bytes = new byte[START];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  void text(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  /** Appends a whole number, not negative. */
  void decimal(long value) {
    reserve(MAX_DIGITS);
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    long rest = value;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  /** Appends a number given in thousandths, not negative: whole, or with three decimals. */
  void thousandths(long value) {
    decimal(value / THOUSAND);
    long fraction = value % THOUSAND;
    if (fraction > 0) {
      reserve(1);
      bytes[length++] = '.';
      decimal(fraction / 100);
      decimal(fraction / 10 % 10);
      decimal(fraction % 10);
    }
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }
}
