package io.tsdbsuite.format.row;

/**
 * The column of a histogram; its value is a one-byte codec id and the codec's bytes.
 *
 * <pre>
 *   | 06 | offset, 2 bytes, seconds      |
 *   | 06 | offset, 4 bytes, milliseconds |
 * </pre>
 *
 * <p>Big-endian, not shifted. Source: docs/storage.md 2.8.
 */
public final class HistogramColumn {
  /** The first byte of the qualifier. */
  public static final byte PREFIX = 0x06;

  private HistogramColumn() {}

  /** Whether this is the qualifier of a histogram. */
  public static boolean is(byte[] q, int off, int len) {
    return (len == 3 || len == 5) && q[off] == PREFIX;
  }

  /**
   * The qualifier of a histogram.
   *
   * @param seconds from the base time of the row
   */
  public static byte[] of(int seconds) {
    return new byte[] {PREFIX, (byte) (seconds >>> Byte.SIZE), (byte) seconds};
  }

  /** Time of the histogram, milliseconds from the base time of the row. */
  public static long offsetMillis(byte[] q, int off, int len) {
    return PrefixedOffset.millis(q, off, len);
  }
}
