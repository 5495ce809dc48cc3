package net.opentsdb.core;

import java.util.Map;

/**
 * The way to the TSD's own row keys: what it offers for them is visible in this package only.
 *
 * <p>Names are checked and resolved, and created if {@code tsd.core.auto_create_*} says so, exactly
 * as for a point that comes over HTTP.
 */
public final class SeriesRowKeys {
  private SeriesRowKeys() {}

  /**
   * The row key of a series, salted.
   *
   * <p>Blocks while a name that is not in the TSD's cache is looked up or created.
   *
   * @param tags names to values, 1 to {@code tsd.storage.max_tags}
   * @param baseTime of the row, seconds since the epoch
   * @return docs/storage.md 1; a new array
   * @throws IllegalArgumentException when a name or the number of tags is illegal
   * @throws net.opentsdb.uid.NoSuchUniqueName when a name is unknown and may not be created
   * @throws RuntimeException when HBase fails; the reason may be its cause
   */
  public static byte[] of(TSDB tsdb, String metric, Map<String, String> tags, int baseTime) {
    IncomingDataPoints.checkMetricAndTags(metric, tags);
    byte[] row = IncomingDataPoints.rowKeyTemplate(tsdb, metric, tags);
    Internal.setBaseTime(row, baseTime);
    // Last: the salt is computed from the names.
    RowKey.prefixKeyWithSalt(row);
    return row;
  }
}
