package io.tsdbsuite.bulk.group;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Formats a parsed point as an import line. The line begins with {@code put} if it would otherwise
 * be a comment, or if the metric is named {@code put}.
 */
final class ImportLine {
  private static final byte[] PUT = "put ".getBytes(StandardCharsets.US_ASCII);

  private ImportLine() {}

  /**
   * The line in UTF-8, without an end.
   *
   * @param timestamp seconds, or milliseconds, since the epoch
   * @param value number in text
   */
  static byte[] of(
      byte[] bytes,
      int metricOff,
      int metricLen,
      int tagsOff,
      int tagsLen,
      long timestamp,
      String value) {
    byte[] middle = (" " + timestamp + " " + value + " ").getBytes(StandardCharsets.US_ASCII);
    byte[] put = needsPut(bytes, metricOff, metricLen) ? PUT : new byte[0];
    byte[] line = new byte[put.length + metricLen + middle.length + tagsLen];
    int at = put.length;
    System.arraycopy(put, 0, line, 0, at);
    System.arraycopy(bytes, metricOff, line, at, metricLen);
    at += metricLen;
    System.arraycopy(middle, 0, line, at, middle.length);
    System.arraycopy(bytes, tagsOff, line, at + middle.length, tagsLen);
    return line;
  }

  private static boolean needsPut(byte[] b, int off, int len) {
    return (len > 0 && b[off] == '#') || Arrays.equals(b, off, off + len, PUT, 0, PUT.length - 1);
  }
}
