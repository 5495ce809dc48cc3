package io.tsdbsuite.bulk.table;

import io.tsdbsuite.format.row.RowKey;
import java.time.Instant;
import java.util.HexFormat;

/** Names rows and points for people: UIDs and times, as the TSD's own tools show them. */
public final class RowName {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final long MILLIS = 1000;

  private final RowKey keys;

  /** Names rows of one installation. */
  public RowName(RowKey keys) {
    this.keys = keys;
  }

  /** A row: its TSUID, and the hour that begins at its base time. */
  public String row(byte[] key) {
    return "series "
        + HEX.formatHex(keys.tsuid(key, 0, key.length))
        + ", hour "
        + Instant.ofEpochSecond(keys.baseTime(key, 0));
  }

  /** A point of a row, by its offset from the base time in milliseconds. */
  public String point(byte[] key, int offsetMillis) {
    return "series "
        + HEX.formatHex(keys.tsuid(key, 0, key.length))
        + ", "
        + Instant.ofEpochMilli(keys.baseTime(key, 0) * MILLIS + offsetMillis);
  }
}
