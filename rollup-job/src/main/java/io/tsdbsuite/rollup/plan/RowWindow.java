package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a time window in a data table. Row keys sort by salt bucket, then metric, then base
 * time, so the window is one contiguous range for each metric of each bucket, with a seek from one
 * range to the next:
 *
 * <pre>
 * +----------+------------+-------------+---------+
 * | salt 0-8 | metric 1-8 | base time 4 | tags    |
 * +----------+------------+-------------+---------+
 *              m            from .. to    read
 *              m            to ..         seek to m+1, from
 *              m            .. from       seek to m, from
 * </pre>
 *
 * Immutable. Times are seconds since the epoch, UTC.
 */
public final class RowWindow implements RowChoice, Serializable {
  private static final long serialVersionUID = 1L;

  private static final long LAST_TIME = 0xffffffffL;
  private static final long DAY = 86400;

  private final RowKey rowKey;
  private final int timeOffset;
  private final long from;
  private final long to;

  /**
   * @param schema defines the widths of salt and metric
   * @param from first base time, inclusive
   * @param to last base time, exclusive
   */
  public RowWindow(StorageSchema schema, long from, long to) {
    this.rowKey = new RowKey(schema);
    this.timeOffset = rowKey.timeOffset();
    this.from = from;
    this.to = to;
  }

  /**
   * Whether the row is in the window. A key too short for a base time counts as inside, so that it
   * is read and reported as malformed.
   */
  @Override
  public boolean contains(byte[] key, int off, int len) {
    if (len < timeOffset + RowKey.TIME_WIDTH) {
      return true;
    }
    long time = time(key, off);
    return time >= from && time < to;
  }

  /**
   * Returns the next possible row of the window after a row outside it; null if there is none.
   *
   * @param key a row for which {@link #contains} is false
   */
  @Override
  public byte @Nullable [] nextAfter(byte[] key, int off, int len) {
    if (time(key, off) < from) {
      return at(Arrays.copyOfRange(key, off, off + timeOffset), from);
    }
    return nextMetric(key, off, len);
  }

  /** Returns the first possible row of the window in the next metric; null if there is none. */
  @Override
  public byte @Nullable [] nextMetric(byte[] key, int off, int len) {
    byte[] prefix = Arrays.copyOf(Arrays.copyOfRange(key, off, off + len), timeOffset);
    return RowRanges.increment(prefix) ? at(prefix, from) : null;
  }

  /**
   * Whether any row from {@code startRow}, inclusive, to {@code stopRow}, exclusive, can be in the
   * window. An empty row stands for the start or the end of the table.
   */
  public boolean intersects(byte[] startRow, byte[] stopRow) {
    byte[] first =
        Arrays.copyOf(startRow, Math.max(startRow.length, timeOffset + RowKey.TIME_WIDTH));
    byte[] candidate =
        contains(first, 0, first.length) ? startRow : nextAfter(first, 0, first.length);
    return candidate != null
        && (stopRow.length == 0 || Arrays.compareUnsigned(candidate, stopRow) < 0);
  }

  /**
   * Returns the first row after the window's range of a metric; null if no row follows.
   *
   * @param row a row of the metric, or a prefix of one
   */
  @Override
  public byte @Nullable [] endOfStretch(byte[] row) {
    byte[] prefix = Arrays.copyOf(row, timeOffset);
    if (to <= LAST_TIME) {
      return at(prefix, to);
    }
    return RowRanges.increment(prefix) ? prefix : null;
  }

  /**
   * Whether a region border cuts a day of the window: the rows on both sides have the same salt
   * bucket, metric and UTC day.
   *
   * @param border start row of a region, not empty; may be a prefix of a row
   */
  public boolean cutsDay(byte[] border) {
    byte[] day = startOfDay(border);
    long time = time(day, 0);
    return time + DAY > from && time < to && Arrays.compareUnsigned(day, border) < 0;
  }

  /**
   * Returns the start of a row's day: the first possible row of its salt bucket, metric and day. It
   * is after {@code row} only if {@code row} is too short for a base time.
   *
   * @param row a row, or a prefix of one
   */
  public byte[] startOfDay(byte[] row) {
    byte[] full = Arrays.copyOf(row, Math.max(row.length, timeOffset + RowKey.TIME_WIDTH));
    long time = time(full, 0);
    return at(Arrays.copyOf(full, timeOffset), time - time % DAY);
  }

  /**
   * Returns the first row after the day of a row, which may be a prefix; null if no row follows.
   */
  public byte @Nullable [] endOfDay(byte[] row) {
    byte[] day = startOfDay(row);
    byte[] prefix = Arrays.copyOf(day, timeOffset);
    long end = time(day, 0) + DAY;
    if (end <= LAST_TIME) {
      return at(prefix, end);
    }
    return RowRanges.increment(prefix) ? prefix : null;
  }

  private byte[] at(byte[] prefix, long time) {
    byte[] row = Arrays.copyOf(prefix, timeOffset + RowKey.TIME_WIDTH);
    rowKey.writeBaseTime(row, time);
    return row;
  }

  private long time(byte[] key, int off) {
    int at = off + timeOffset;
    return (key[at] & 0xffL) << 24
        | (key[at + 1] & 0xffL) << 16
        | (key[at + 2] & 0xffL) << 8
        | (key[at + 3] & 0xffL);
  }
}
