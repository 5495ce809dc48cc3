package io.tsdbsuite.format.meta;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;

/**
 * The positions of the UIDs in a TSUID, the row key of the table of time series metadata. It has no
 * salt and no time. Immutable.
 *
 * <pre>
 * +--------+------+------+------+------+--
 * | metric | tagk | tagv | tagk | tagv | ...
 * +--------+------+------+------+------+--
 * </pre>
 *
 * <p>Source: docs/storage.md 5.
 */
public final class TsuidLayout {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final int metricWidth;
  private final int tagkWidth;
  private final int tagvWidth;

  /**
   * A layout with these widths.
   *
   * @param metricWidth bytes, 1..8
   * @param tagkWidth bytes, 1..8
   * @param tagvWidth bytes, 1..8
   */
  public TsuidLayout(int metricWidth, int tagkWidth, int tagvWidth) {
    this.metricWidth = metricWidth;
    this.tagkWidth = tagkWidth;
    this.tagvWidth = tagvWidth;
  }

  /** The layout of an installation's schema. */
  public static TsuidLayout of(StorageSchema schema) {
    return new TsuidLayout(schema.metricWidth(), schema.tagkWidth(), schema.tagvWidth());
  }

  /** Width of a kind's UIDs, 1..8 bytes. */
  public int width(UidKind kind) {
    switch (kind) {
      case METRIC:
        return metricWidth;
      case TAGK:
        return tagkWidth;
      case TAGV:
        return tagvWidth;
    }
    throw new IllegalArgumentException("no such kind: " + kind);
  }

  /** Whether the TSUID has the length of a metric with at least one tag. */
  public boolean fits(byte[] tsuid) {
    int tags = tsuid.length - metricWidth;
    return tags > 0 && tags % (tagkWidth + tagvWidth) == 0;
  }

  /**
   * Whether the tag pairs ascend by tag key UID and each key comes once, as in the row keys of the
   * data table.
   *
   * @param tsuid a TSUID that {@link #fits}
   */
  public boolean ascends(byte[] tsuid) {
    int pairWidth = tagkWidth + tagvWidth;
    for (int pair = metricWidth + pairWidth; pair < tsuid.length; pair += pairWidth) {
      int before = pair - pairWidth;
      int i = 0;
      while (i < tagkWidth && tsuid[before + i] == tsuid[pair + i]) {
        i++;
      }
      if (i == tagkWidth || (tsuid[before + i] & 0xff) > (tsuid[pair + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /** The metric's UID. */
  public long metric(byte[] tsuid) {
    return Uids.read(tsuid, 0, metricWidth);
  }

  /** Number of tags. */
  public int tags(byte[] tsuid) {
    return (tsuid.length - metricWidth) / (tagkWidth + tagvWidth);
  }

  /** The UID of a tag's key; tags count from 0. */
  public long tagk(byte[] tsuid, int tag) {
    return Uids.read(tsuid, metricWidth + tag * (tagkWidth + tagvWidth), tagkWidth);
  }

  /** The UID of a tag's value; tags count from 0. */
  public long tagv(byte[] tsuid, int tag) {
    return Uids.read(tsuid, metricWidth + tag * (tagkWidth + tagvWidth) + tagkWidth, tagvWidth);
  }

  /** A UID's bytes, big-endian; errors as {@link Uids#write}. */
  public byte[] bytes(UidKind kind, long uid) {
    return Uids.bytes(uid, width(kind));
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
}
