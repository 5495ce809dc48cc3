package io.tsdbsuite.ingest.mask;

/** TSUIDs as the columns of masks have them. */
public final class Tsuids {
  private static final String DIGITS = "0123456789ABCDEF";

  private Tsuids() {}

  /** In hex, upper case. */
  static String hex(byte[] tsuid) {
    return hex(tsuid, 0, tsuid.length, new StringBuilder(2 * tsuid.length)).toString();
  }

  /**
   * The TSUID of a row key.
   *
   * @param salt its width, bytes
   * @param metric width of the metric's UID, bytes
   */
  public static String ofRow(byte[] row, int salt, int metric) {
    int time = salt + metric;
    StringBuilder text = new StringBuilder(2 * row.length);
    hex(row, salt, time, text);
    return hex(row, time + 4, row.length, text).toString();
  }

  private static StringBuilder hex(byte[] bytes, int from, int to, StringBuilder text) {
    for (int i = from; i < to; i++) {
      text.append(DIGITS.charAt(bytes[i] >> 4 & 15)).append(DIGITS.charAt(bytes[i] & 15));
    }
    return text;
  }
}
