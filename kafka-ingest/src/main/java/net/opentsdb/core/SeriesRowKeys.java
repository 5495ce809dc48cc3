package net.opentsdb.core;

import java.util.List;
import java.util.Map;
import java.util.Random;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.uid.UniqueId.UniqueIdType;

/**
 * Builds row keys with the TSD's own methods, which are visible in this package only.
 *
 * <p>Names are checked, resolved and, with {@code tsd.core.auto_create_*}, created, exactly as for
 * a point received over HTTP.
 */
public final class SeriesRowKeys {
  private SeriesRowKeys() {}

  /**
   * The row key of a series whose names all have UIDs, salted, with base time 0. Creates no UID.
   *
   * <p>Blocks while a name that is not in the TSD's cache is looked up.
   *
   * @param tags names to values, 1 to {@code tsd.storage.max_tags}
   * @return a new array; {@link #at} sets its base time
   * @throws IllegalArgumentException when a name or the number of tags is illegal
   * @throws net.opentsdb.uid.NoSuchUniqueName when a name has no UID
   * @throws RuntimeException when HBase fails; the reason may be its cause
   */
  public static byte[] existing(TSDB tsdb, String metric, Map<String, String> tags) {
    IncomingDataPoints.checkMetricAndTags(metric, tags);
    byte[] metricUid = tsdb.getUID(UniqueIdType.METRIC, metric);
    List<byte[]> pairs = Tags.resolveAll(tsdb, tags);
    int length = Const.SALT_WIDTH() + metricUid.length + Const.TIMESTAMP_BYTES;
    for (byte[] pair : pairs) {
      length += pair.length;
    }
    byte[] row = new byte[length];
    System.arraycopy(metricUid, 0, row, Const.SALT_WIDTH(), metricUid.length);
    int at = Const.SALT_WIDTH() + metricUid.length + Const.TIMESTAMP_BYTES;
    for (byte[] pair : pairs) {
      System.arraycopy(pair, 0, row, at, pair.length);
      at += pair.length;
    }
    RowKey.prefixKeyWithSalt(row);
    return row;
  }

  /**
   * The row key of the same series with another base time, which the salt does not depend on.
   *
   * @param baseTime seconds since the epoch, 0 to 2^32-1
   * @return a new array
   */
  public static byte[] at(byte[] row, long baseTime) {
    byte[] copy = row.clone();
    Internal.setBaseTime(copy, (int) baseTime);
    return copy;
  }

  /** The TSUID of a row key: without salt and base time. */
  public static byte[] tsuid(byte[] row) {
    return UniqueId.getTSUIDFromKey(row, TSDB.metrics_width(), Const.TIMESTAMP_BYTES);
  }

  /** Number of salt buckets that a TSD scans; 1 without salt. */
  public static int buckets() {
    return Const.SALT_WIDTH() == 0 ? 1 : Const.SALT_BUCKETS();
  }

  /**
   * The row key of the same series in a salt bucket, and with another base time.
   *
   * @param bucket 0 to {@link #buckets} - 1
   * @param baseTime seconds since the epoch, 0 to 2^32-1
   * @return a new array
   */
  public static byte[] inBucket(byte[] row, int bucket, long baseTime) {
    byte[] copy = at(row, baseTime);
    System.arraycopy(RowKey.getSaltBytes(bucket), 0, copy, 0, Const.SALT_WIDTH());
    return copy;
  }

  /**
   * A key among those of the table's rows, without a row: the beginning of the keys of a metric in
   * any salt bucket. UIDs are assigned from 1 on, so each length of the number is as likely.
   *
   * @return a new array
   */
  public static byte[] anywhere(Random random) {
    byte[] row = new byte[Const.SALT_WIDTH() + TSDB.metrics_width()];
    int bits = TSDB.metrics_width() * Byte.SIZE;
    long metric = random.nextLong() >>> (Long.SIZE - bits + random.nextInt(bits));
    for (int i = row.length - 1; i >= Const.SALT_WIDTH(); i--) {
      row[i] = (byte) metric;
      metric >>>= Byte.SIZE;
    }
    System.arraycopy(RowKey.getSaltBytes(random.nextInt(buckets())), 0, row, 0, Const.SALT_WIDTH());
    return row;
  }

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
