package io.tsdbsuite.bulk.table;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * Names of rows and points for messages: metric, tags, times and TSUIDs, as the TSD's own tools
 * show them. Not thread-safe.
 */
public final class RowName {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final long MILLIS = 1000;

  private final RowKey keys;
  private final Function<byte[], String> names;
  private byte[] last = new byte[0];
  private String lastName = "";

  /** Names rows of one installation by their TSUIDs alone. */
  public RowName(RowKey keys) {
    this(keys, tsuid -> "");
  }

  /**
   * Names rows of one installation.
   *
   * @param names metric and tags of a TSUID, empty if they are not known; called only to name a row
   */
  public RowName(RowKey keys, Function<byte[], String> names) {
    this.keys = keys;
    this.names = names;
  }

  /** A row: its series, and the hour that begins at its base time. */
  public String row(byte[] key) {
    return series(key) + ", hour " + Instant.ofEpochSecond(keys.baseTime(key, 0));
  }

  /** A point of a row, by its offset from the base time in milliseconds. */
  public String point(byte[] key, int offsetMillis) {
    return series(key) + ", " + Instant.ofEpochMilli(keys.baseTime(key, 0) * MILLIS + offsetMillis);
  }

  private String series(byte[] key) {
    byte[] tsuid = keys.tsuid(key, 0, key.length);
    if (!Arrays.equals(tsuid, last)) {
      last = tsuid;
      lastName = name(tsuid);
    }
    return lastName;
  }

  private String name(byte[] tsuid) {
    String hex = HEX.formatHex(tsuid);
    String name;
    try {
      name = names.apply(tsuid);
    } catch (JobException e) {
      // The message matters more than a failed lookup of names.
      name = "";
    }
    return name.isEmpty() ? "series " + hex : "series " + name + " (TSUID " + hex + ")";
  }
}
