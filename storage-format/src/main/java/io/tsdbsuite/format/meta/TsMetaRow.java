package io.tsdbsuite.format.meta;

import io.tsdbsuite.format.row.Uids;
import java.nio.charset.StandardCharsets;

/**
 * A row of the table of time series metadata and its columns.
 *
 * <pre>
 *   row      column          value
 *   TSUID    name:ts_meta    JSON of the series
 *   TSUID    name:ts_ctr     number of points, 8 bytes, signed; the cell timestamp is
 *                              the time of the last point that a TSD reports
 * </pre>
 *
 * <p>There is no salt and no time in the row key. A TSD updates {@code ts_meta} only if the stored
 * bytes equal the bytes that it would write itself, so a missing or misplaced field makes the row
 * unchangeable. Source: docs/storage.md 5.
 */
public final class TsMetaRow {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();
  private static final int COUNTER_WIDTH = 8;

  private TsMetaRow() {}

  /** The only family in bytes; a new array for each call. */
  public static byte[] family() {
    return "name".getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The qualifier of the JSON; a new array for each call. */
  public static byte[] metaQualifier() {
    return "ts_meta".getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The qualifier of the counter; a new array for each call. */
  public static byte[] counterQualifier() {
    return "ts_ctr".getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The JSON of a series without user metadata, as a TSD creates it.
   *
   * @param tsuid metric UID and tag pairs
   * @param created when the series was first seen, seconds since the epoch, UTC
   */
  public static byte[] json(byte[] tsuid, long created) {
    StringBuilder json = new StringBuilder(192 + 2 * tsuid.length);
    json.append("{\"tsuid\":\"");
    for (byte b : tsuid) {
      json.append(HEX[b >> 4 & 0xf]).append(HEX[b & 0xf]);
    }
    json.append("\",\"displayName\":\"\",\"description\":\"\",\"notes\":\"\",\"created\":")
        .append(created)
        .append(",\"custom\":null,\"units\":\"\",\"dataType\":\"\",\"retention\":0")
        .append(",\"max\":\"NaN\",\"min\":\"NaN\"}");
    return json.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The value of a counter: {@code count} as 8 bytes, big-endian. */
  public static byte[] counter(long points) {
    return Uids.bytes(points, COUNTER_WIDTH);
  }
}
