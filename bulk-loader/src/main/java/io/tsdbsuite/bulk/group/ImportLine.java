package io.tsdbsuite.bulk.group;

import java.nio.charset.StandardCharsets;

/** Says a point that was parsed as an import line again. */
final class ImportLine {
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
    byte[] line = new byte[metricLen + middle.length + tagsLen];
    System.arraycopy(bytes, metricOff, line, 0, metricLen);
    System.arraycopy(middle, 0, line, metricLen, middle.length);
    System.arraycopy(bytes, tagsOff, line, metricLen + middle.length, tagsLen);
    return line;
  }
}
