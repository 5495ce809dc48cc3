package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of data table rows, each identified by series and time span. A span is an hour or a day and
 * is read completely. Entries are sorted by salt and metric, span, tags. For spans of an hour this
 * is the row order; for a day, the rows follow hour by hour:
 *
 * <pre>
 *   entries   m1 d1 a, m1 d1 c, m1 d2 b
 *   rows      m1 d1 0h a, m1 d1 0h c, m1 d1 1h a, ... m1 d1 23h c, m1 d2 0h b, ...
 * </pre>
 *
 * Each entry marks its changed hours; the other hours are read only to complete the day. All keys
 * are in one array. Immutable.
 */
public final class ChangedRowSet implements RowChoice, Serializable {
  private static final long serialVersionUID = 1L;

  private static final int HOUR = RowKey.ROW_SPAN_SECONDS;

  private final RowKey rowKey;
  private final int timeOffset;
  private final int spanSeconds;
  private final byte[] keys;

  /** End offset of each key. */
  private final int[] ends;

  /** Changed hours by entry; bit 0 is the first hour of the span. */
  private final int[] hours;

  /**
   * Made by {@link ChangedRowSetBuilder}.
   *
   * @param spanSeconds an hour or a day
   */
  ChangedRowSet(RowKey rowKey, int spanSeconds, byte[] keys, int[] ends, int[] hours) {
    this.rowKey = rowKey;
    this.timeOffset = rowKey.timeOffset();
    this.spanSeconds = spanSeconds;
    this.keys = keys;
    this.ends = ends;
    this.hours = hours;
  }

  /** Number of entries, one for each series and span. */
  public int size() {
    return ends.length;
  }

  /** The key of an entry: the first row of its span. */
  public byte[] key(int entry) {
    return Arrays.copyOfRange(keys, start(entry), ends[entry]);
  }

  /** A row of an entry. */
  public byte[] row(int entry, int hour) {
    byte[] key = key(entry);
    rowKey.writeBaseTime(key, time(key, 0) + (long) hour * HOUR);
    return key;
  }

  /** The changed hours of an entry; bit 0 is the first hour of the span. */
  public int hours(int entry) {
    return hours[entry];
  }

  /** Hours in a span. */
  public int hoursPerEntry() {
    return spanSeconds / HOUR;
  }

  /**
   * Start of the first span.
   *
   * @return seconds since the epoch; {@link Long#MAX_VALUE} for none
   */
  public long first() {
    long first = Long.MAX_VALUE;
    for (int entry = 0; entry < ends.length; entry++) {
      first = Math.min(first, time(keys, start(entry)));
    }
    return first;
  }

  /** Number of changed rows. */
  public long changedRows() {
    long rows = 0;
    for (int mask : hours) {
      rows += Integer.bitCount(mask);
    }
    return rows;
  }

  /** Returns the entry that contains a row; -1 if there is none. */
  public int find(byte[] key, int off, int len) {
    if (len <= timeOffset + RowKey.TIME_WIDTH || time(key, off) % HOUR != 0) {
      return -1;
    }
    int entry = firstFrom(spanKey(key, off, len));
    return entry < ends.length && isOf(entry, key, off, len) ? entry : -1;
  }

  /** Returns the index of a row's hour in its span. */
  public int hour(byte[] key, int off) {
    return (int) (time(key, off) % spanSeconds / HOUR);
  }

  @Override
  public boolean contains(byte[] key, int off, int len) {
    return find(key, off, len) >= 0;
  }

  @Override
  public byte @Nullable [] nextAfter(byte[] key, int off, int len) {
    byte[] row = Arrays.copyOfRange(key, off, off + len);
    return from(Arrays.copyOf(row, Math.max(len + 1, timeOffset + RowKey.TIME_WIDTH + 1)), row);
  }

  /**
   * Returns the first row of the set that is at or after {@code at}, which contains a base time,
   * and after {@code row}.
   */
  private byte @Nullable [] from(byte[] at, byte[] row) {
    long time = time(at, 0);
    long span = time - time % spanSeconds;
    long hour = time - time % HOUR;
    // Within an hour that has begun, tags are ignored: the hour precedes all later rows of the set.
    byte[] tags = at.clone();
    if (hour < time) {
      hour += HOUR;
      tags = Arrays.copyOf(at, timeOffset + RowKey.TIME_WIDTH);
    }
    if (hour < span + spanSeconds) {
      byte[] inHour = spanKey(tags, 0, tags.length);
      int entry = firstFrom(inHour);
      if (entry < ends.length && isOfSpan(entry, at, span)) {
        return atTime(entry, hour);
      }
      entry = firstFrom(Arrays.copyOf(inHour, timeOffset + RowKey.TIME_WIDTH));
      if (hour + HOUR < span + spanSeconds && entry < ends.length && isOfSpan(entry, at, span)) {
        return atTime(entry, hour + HOUR);
      }
    }
    byte[] next = Arrays.copyOf(at, timeOffset + RowKey.TIME_WIDTH);
    long nextSpan = span + spanSeconds;
    int entry;
    if (nextSpan > 0xffffffffL) {
      next = afterPrefix(row);
      entry = next == null ? ends.length : firstFrom(next);
    } else {
      rowKey.writeBaseTime(next, nextSpan);
      entry = firstFrom(next);
    }
    return entry < ends.length ? key(entry) : null;
  }

  @Override
  public byte @Nullable [] nextMetric(byte[] key, int off, int len) {
    byte[] next = afterPrefix(Arrays.copyOfRange(key, off, off + len));
    int entry = next == null ? ends.length : firstFrom(next);
    return entry < ends.length ? key(entry) : null;
  }

  @Override
  public byte[] endOfStretch(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  /** Returns the first row after all rows of a salt bucket and metric; null if there is none. */
  private byte @Nullable [] afterPrefix(byte[] row) {
    byte[] prefix = Arrays.copyOf(row, timeOffset);
    return RowRanges.increment(prefix)
        ? Arrays.copyOf(prefix, timeOffset + RowKey.TIME_WIDTH)
        : null;
  }

  private byte[] atTime(int entry, long time) {
    byte[] key = key(entry);
    rowKey.writeBaseTime(key, time);
    return key;
  }

  private boolean isOfSpan(int entry, byte[] row, long span) {
    int start = start(entry);
    return Arrays.equals(keys, start, start + timeOffset, row, 0, timeOffset)
        && time(keys, start) == span;
  }

  private boolean isOf(int entry, byte[] key, int off, int len) {
    int start = start(entry);
    int tags = timeOffset + RowKey.TIME_WIDTH;
    long time = time(key, off);
    return Arrays.equals(keys, start, start + timeOffset, key, off, off + timeOffset)
        && time(keys, start) == time - time % spanSeconds
        && Arrays.equals(keys, start + tags, ends[entry], key, off + tags, off + len);
  }

  /** Returns a row key with the start of its span as base time. */
  private byte[] spanKey(byte[] key, int off, int len) {
    byte[] span = Arrays.copyOfRange(key, off, off + len);
    long time = time(span, 0);
    rowKey.writeBaseTime(span, time - time % spanSeconds);
    return span;
  }

  /**
   * Returns the first entry whose key is at or after {@code key}; {@link #size} if there is none.
   */
  private int firstFrom(byte[] key) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(keys, start(middle), ends[middle], key, 0, key.length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int start(int entry) {
    return entry == 0 ? 0 : ends[entry - 1];
  }

  private long time(byte[] key, int off) {
    int at = off + timeOffset;
    return (key[at] & 0xffL) << 24
        | (key[at + 1] & 0xffL) << 16
        | (key[at + 2] & 0xffL) << 8
        | (key[at + 3] & 0xffL);
  }
}
