package io.tsdbsuite.meta.report.model;

/**
 * Where the UIDs are in a TSUID, the row key of tsdb-meta. No salt, no time.
 *
 * <pre>
 * +--------+------+------+------+------+--
 * | metric | tagk | tagv | tagk | tagv | ...
 * +--------+------+------+------+------+--
 * </pre>
 */
public final class TsuidLayout {
  /** OpenTSDB's own limit of a UID's width, bytes. */
  public static final int MAX_WIDTH = 8;

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final int metricWidth;
  private final int tagkWidth;
  private final int tagvWidth;

  /**
   * @param metricWidth bytes, 1..8
   * @param tagkWidth bytes, 1..8
   * @param tagvWidth bytes, 1..8
   */
  public TsuidLayout(int metricWidth, int tagkWidth, int tagvWidth) {
    this.metricWidth = metricWidth;
    this.tagkWidth = tagkWidth;
    this.tagvWidth = tagvWidth;
  }

  /** Bytes of a UID of this kind. */
  public int width(UidKind kind) {
    switch (kind) {
      case METRIC:
        return metricWidth;
      case TAGK:
        return tagkWidth;
      default:
        return tagvWidth;
    }
  }

  /** Whether it is as long as a metric with one tag or more. */
  public boolean fits(byte[] tsuid) {
    int tags = tsuid.length - metricWidth;
    return tags > 0 && tags % (tagkWidth + tagvWidth) == 0;
  }

  /** The metric's UID. */
  public long metric(byte[] tsuid) {
    return number(tsuid, 0, metricWidth);
  }

  /** How many tags it has. */
  public int tags(byte[] tsuid) {
    return (tsuid.length - metricWidth) / (tagkWidth + tagvWidth);
  }

  /** The UID of a tag's key; tags count from 0. */
  public long tagk(byte[] tsuid, int tag) {
    return number(tsuid, metricWidth + tag * (tagkWidth + tagvWidth), tagkWidth);
  }

  /** The UID of a tag's value; tags count from 0. */
  public long tagv(byte[] tsuid, int tag) {
    return number(tsuid, metricWidth + tag * (tagkWidth + tagvWidth) + tagkWidth, tagvWidth);
  }

  /** A UID's bytes. */
  public byte[] bytes(UidKind kind, long uid) {
    byte[] bytes = new byte[width(kind)];
    for (int i = bytes.length - 1, shift = 0; i >= 0; i--, shift += 8) {
      bytes[i] = (byte) (uid >>> shift);
    }
    return bytes;
  }

  /** A UID as OpenTSDB writes it: upper-case hex, two digits per byte. */
  public String hex(UidKind kind, long uid) {
    return hex(bytes(kind, uid));
  }

  /** Upper-case hex, two digits per byte. */
  public static String hex(byte[] bytes) {
    char[] hex = new char[bytes.length * 2];
    for (int i = 0; i < bytes.length; i++) {
      hex[2 * i] = HEX[(bytes[i] >> 4) & 0xF];
      hex[2 * i + 1] = HEX[bytes[i] & 0xF];
    }
    return new String(hex);
  }

  /** Reads a big-endian number of up to 8 bytes. */
  public static long number(byte[] bytes, int offset, int width) {
    long number = 0;
    for (int i = offset; i < offset + width; i++) {
      number = number << 8 | (bytes[i] & 0xFF);
    }
    return number;
  }
}
