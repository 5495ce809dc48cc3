package io.tsdbsuite.message.write;

import com.fasterxml.jackson.core.SerializableString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Presents a name in ISO-8859-1 bytes to Jackson's UTF-8 generator as JSON text, without creating a
 * String.
 *
 * <p>A byte becomes 1 byte, 2 bytes if it is 0x80 or more, or an escape if it is a quote, a
 * backslash or a control character (RFC 8259, 7).
 */
final class Latin1String implements SerializableString {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  /** Bytes of an escape like {@code \}{@code u001f}: the most that one byte becomes. */
  private static final int MAX_EXPANSION = 6;

  private ByteSlice name = new ByteSlice();

  /** Presents another name. */
  Latin1String of(ByteSlice slice) {
    name = slice;
    return this;
  }

  @Override
  public int appendQuotedUTF8(byte[] out, int start) {
    byte[] in = name.array;
    int end = name.offset + name.length;
    // Near the end of the generator's buffer: it calls asQuotedUTF8 instead.
    if (out.length - start < MAX_EXPANSION * name.length) {
      return -1;
    }
    int to = start;
    for (int i = name.offset; i < end; i++) {
      int c = in[i] & 0xff;
      if (c >= 0x80) {
        out[to++] = (byte) (0xc0 | c >> 6);
        out[to++] = (byte) (0x80 | (c & 0x3f));
      } else if (c < 0x20) {
        out[to++] = '\\';
        out[to++] = 'u';
        out[to++] = '0';
        out[to++] = '0';
        out[to++] = HEX[c >> 4];
        out[to++] = HEX[c & 0xf];
      } else {
        if (c == '"' || c == '\\') {
          out[to++] = '\\';
        }
        out[to++] = (byte) c;
      }
    }
    return to - start;
  }

  @Override
  public byte[] asQuotedUTF8() {
    byte[] buffer = new byte[MAX_EXPANSION * name.length];
    int length = appendQuotedUTF8(buffer, 0);
    return Arrays.copyOf(buffer, length);
  }

  /**
   * Always empty: the generator needs the text only to detect duplicate fields, which is switched
   * off.
   */
  @Override
  public String getValue() {
    return "";
  }

  @Override
  public int charLength() {
    return name.length;
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    throw unused();
  }

  @Override
  public char[] asQuotedChars() {
    throw unused();
  }

  @Override
  public byte[] asUnquotedUTF8() {
    throw unused();
  }

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    throw unused();
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    throw unused();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) throws IOException {
    throw unused();
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) throws IOException {
    throw unused();
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) throws IOException {
    throw unused();
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer out) throws IOException {
    throw unused();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("only for Jackson's UTF-8 generator");
  }
}
