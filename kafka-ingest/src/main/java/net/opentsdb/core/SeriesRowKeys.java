package net.opentsdb.core;

import java.util.Map;

/**
 * Builds row keys with the TSD's own methods, which are visible in this package only.
 *
 * <p>Names are checked, resolved and, with {@code tsd.core.auto_create_*}, created, exactly as for
 * a point received over HTTP.
 */
public final class SeriesRowKeys {
  private SeriesRowKeys() {}

  /**
   * The row key of a series, salted.
   *
   * <p>Blocks while a name that is not in the TSD's cache is looked up or created.
   *
   * @param tags names to values, 1 to {@code tsd.storage.max_tags}
   * @param baseTime base time of the row, seconds since the epoch
   * @return a new array; layout: docs/storage.md 1
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
