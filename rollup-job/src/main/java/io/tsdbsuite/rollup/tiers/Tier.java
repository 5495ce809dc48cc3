package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A table with data of one resolution.
 *
 * @param rollups its interval; null for the data table
 * @param snapshot of the table
 * @param settings those of {@link #SETTINGS} that the table has itself, as of the snapshot
 */
record Tier(@Nullable RollupInterval rollups, Snapshot snapshot, Map<String, String> settings) {
  /**
   * What decides when HBase compacts a region whole, and whether it merges small ones, with what
   * counts where the table does not say: those of hbase-site.xml, which no snapshot has.
   */
  static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "hbase.hregion.majorcompaction",
              "that of the region servers, by default 604800000 ms; 0: never by itself",
              TableDescriptorBuilder.NORMALIZATION_ENABLED,
              "hbase.table.normalization.enabled of the master, by default false",
              "hbase.normalizer.merge.min_region_size.mb",
              "that of the master, by default 1: an empty region stays; 0 merges it",
              "hbase.normalizer.merge.min_region_age.days",
              "that of the master, by default 3"));

  static final long DAY = 86400;

  /** Its name in a policy. */
  String name() {
    return rollups == null ? Policy.RAW : rollups.interval();
  }

  /**
   * The start of the first row that does not begin before a time.
   *
   * @param time seconds since the epoch, at most 2^32-1
   */
  long rowFrom(long time) {
    long start = rowOf(time);
    return start == time ? time : rowEnd(start);
  }

  /** The start of the row of a time, seconds since the epoch. */
  long rowOf(long time) {
    return rollups == null ? time - time % RowKey.ROW_SPAN_SECONDS : rollups.baseTime(time);
  }

  /**
   * The end of a day's last row: what a day of a table stands for is past then.
   *
   * @param day days since the epoch
   */
  long dayEnd(int day) {
    return Math.max((day + 1) * DAY, rowEnd(rowOf(day * DAY)));
  }

  /** The end of the row that starts at a time. */
  private long rowEnd(long start) {
    return rollups == null ? start + RowKey.ROW_SPAN_SECONDS : rollups.rowEnd(start);
  }
}
