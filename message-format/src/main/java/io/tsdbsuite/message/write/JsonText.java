package io.tsdbsuite.message.write;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing array of JSON text in UTF-8, written part by part: the caller is responsible for commas
 * and brackets. Not thread-safe.
 */
final class JsonText extends ByteArrayOutputStream {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  /** Bytes of an escape like {@code \}{@code u001f}: the most that one byte becomes. */
  private static final int MAX_EXPANSION = 6;

  /** Digits of {@link Long#MIN_VALUE} with its sign. */
  private static final int LONGEST = 20;

  /** Doubles from here on, and below {@link #LEAST_PLAIN}, are written with an exponent. */
  private static final double PLAIN = 1e7;

  private static final double LEAST_PLAIN = 1e-3;
  private static final double MILLI = 1000;
  private static final int DIGITS_OF_MILLI = 3;

  JsonText() {
    super(512);
  }

  /** Ascii text that is JSON, for {@link #raw}. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Removes all text. */
  void clear() {
    count = 0;
  }

  /** Number of bytes. */
  int length() {
    return count;
  }

  /** A copy of a range of the text. */
  byte[] copy(int from, int to) {
    return Arrays.copyOfRange(buf, from, to);
  }

  /** Appends text that is JSON. */
  void raw(byte[] text) {
    room(text.length);
    System.arraycopy(text, 0, buf, count, text.length);
    count += text.length;
  }

  /** Appends the text of another one. */
  void raw(JsonText text) {
    write(text.buf, 0, text.count);
  }

  /** Appends one character of ASCII. */
  void raw(char c) {
    room(1);
    buf[count++] = (byte) c;
  }

  /**
   * Appends a name in quotes.
   *
   * <p>A byte of ISO-8859-1 becomes 1 byte, 2 bytes if it is 0x80 or more, or an escape if it is a
   * quote, a backslash or a control character (RFC 8259, 7).
   */
  void name(ByteSlice name) {
    room(MAX_EXPANSION * name.length + 2);
    byte[] in = name.array;
    byte[] out = buf;
    int to = count;
    out[to++] = '"';
    for (int i = name.offset, end = name.offset + name.length; i < end; i++) {
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
    out[to++] = '"';
    count = to;
  }

  /** Appends a string of printable ASCII without quotes and backslashes, or any other string. */
  void string(String text) {
    byte[] latin1 = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteSlice slice = new ByteSlice();
    slice.set(latin1);
    name(slice);
  }

  /** Appends an integer. */
  void number(long value) {
    room(LONGEST);
    long rest = value;
    if (rest < 0) {
      buf[count++] = '-';
    } else {
      rest = -rest;
    }
    // Negative, because Long.MIN_VALUE has no positive counterpart.
    int end = count + digits(rest);
    count = end;
    do {
      long quotient = rest / 10;
      buf[--end] = (byte) ('0' + (quotient * 10 - rest));
      rest = quotient;
    } while (rest != 0);
  }

  private static int digits(long negative) {
    int digits = 1;
    long limit = -10;
    while (digits < LONGEST - 1 && negative <= limit) {
      digits++;
      limit *= 10;
    }
    return digits;
  }

  /**
   * Appends a finite double as the shortest decimal text that parses to the same double, always
   * with a decimal point.
   */
  void number(double value) {
    double size = Math.abs(value);
    if (size == 0 || (size >= LEAST_PLAIN && size < PLAIN)) {
      // If value is the double next to a number of at most three decimals, this number is the only
      // one of at most 15 digits that parses to it, and so the shortest text.
      long milli = Math.round(size * MILLI);
      if (milli / MILLI == size) {
        if (Double.doubleToRawLongBits(value) < 0) {
          raw('-');
        }
        decimal(milli);
        return;
      }
    }
    room(ShortestDecimal.MAX_LENGTH);
    count = ShortestDecimal.write(value, buf, count);
  }

  /** Appends thousandths as a number with one to three decimals. */
  private void decimal(long milli) {
    long whole = milli / (long) MILLI;
    int rest = (int) (milli - whole * (long) MILLI);
    number(whole);
    room(1 + DIGITS_OF_MILLI);
    buf[count++] = '.';
    buf[count++] = (byte) ('0' + rest / 100);
    if (rest % 100 != 0) {
      buf[count++] = (byte) ('0' + rest / 10 % 10);
      if (rest % 10 != 0) {
        buf[count++] = (byte) ('0' + rest % 10);
      }
    }
  }

  private void room(int bytes) {
    if (buf.length - count < bytes) {
      buf = Arrays.copyOf(buf, Math.max(count + bytes, 2 * buf.length));
    }
  }
}
