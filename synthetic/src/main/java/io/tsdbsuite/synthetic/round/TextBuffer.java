package io.tsdbsuite.synthetic.round;

import io.tsdbsuite.synthetic.text.DecimalWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The text of a batch; the buffer is reused for the next one. */
public final class TextBuffer {
  private static final int START = 8192;
  private static final int THOUSAND = 1000;

  private byte[] bytes = new byte[START];
  private int length;

  /** The bytes of a text of characters up to U+00FF. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Makes the buffer empty. */
  public void clear() {
    length = 0;
  }

  /** Bytes of text. */
  public int length() {
    return length;
  }

  /** Appends text. */
  public void text(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  /** Appends a whole number, not negative. */
  public void decimal(long value) {
    reserve(DecimalWriter.MOST);
    length = DecimalWriter.integer(value, bytes, length);
  }

  /** Appends a number given in thousandths, not negative: whole, or with three decimals. */
  public void thousandths(long value) {
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

  /** Writes the text. */
  public void writeTo(OutputStream out) throws IOException {
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
