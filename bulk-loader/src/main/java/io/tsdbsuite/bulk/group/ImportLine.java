package io.tsdbsuite.bulk.group;

import java.nio.charset.StandardCharsets;

/**
 * Formats a parsed point as an import line. The line begins with {@code put}: a line without tags
 * would otherwise be one of Graphite, with value and time exchanged, and a metric that begins with
 * {@code #} a comment.
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
    byte[] line = new byte[PUT.length + metricLen + middle.length + tagsLen];
    int at = PUT.length;
    System.arraycopy(PUT, 0, line, 0, at);
    System.arraycopy(bytes, metricOff, line, at, metricLen);
    at += metricLen;
    System.arraycopy(middle, 0, line, at, middle.length);
    System.arraycopy(bytes, tagsOff, line, at + middle.length, tagsLen);
    return line;
  }
}
