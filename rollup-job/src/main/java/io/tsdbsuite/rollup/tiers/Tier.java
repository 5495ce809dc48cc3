package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * A table with data of one resolution.
 *
 * @param rollups its interval; null for the data table
 * @param snapshot of the table
 */
record Tier(@Nullable RollupInterval rollups, Snapshot snapshot) {
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
