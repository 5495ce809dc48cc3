package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The native histograms of a series: cells that wait for the slack, and the sums of its buckets. A
 * view of a part of the array of {@link MoreBuckets}, in which it changes what it must; reusable,
 * not thread-safe. All numbers are little-endian.
 *
 * <pre>
 *    8  time of the first cell that waits, ms; Long.MAX_VALUE without
 *    4  number of cells that wait W
 *       W, in the order of time: time (ms, 8), marks (1), length L (4), L: cell
 *       for each bucket: interval (1), start (s, 4), length L (4), L: cell
 *
 *   cell    as a TSD stores it: codec id, payload. The id alone: the histograms of the bucket are
 *           left to the nightly run
 *   marks   1: column of milliseconds; 2: the instant has two columns, which a TSD counts both
 * </pre>
 */
final class HistogramCells {
  /** So many cells wait at most. */
  static final int MOST_WAITING = 1_000;

  /** All cells have so many bytes at most: several of the longest, and many of usual ones. */
  static final int MOST_BYTES = 4 << 20;

  private static final int HEAD = 12;
  private static final int WAITING_HEAD = 13;
  private static final int SUM_HEAD = 9;
  private static final byte MILLIS = 1;
  private static final byte TWO_COLUMNS = 2;
  private static final int UNKNOWN = -1;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final MoreBuckets more;
  private final StreamIntervals intervals;
  private final BucketHistogram histogram;

  /** Number and bytes of the first cells that are removed, and still in the array. */
  private int removed;

  private int removedBytes;

  /** Begin of the sums in the part, if it is known: all cells lie before. */
  private int sumsAt = UNKNOWN;

  /**
   * @param more has the part
   */
  HistogramCells(MoreBuckets more, StreamIntervals intervals) {
    this.more = more;
    this.intervals = intervals;
    this.histogram = new BucketHistogram(intervals.codecs());
  }

  /** Begins with another array. */
  void wrap() {
    removed = 0;
    removedBytes = 0;
    sumsAt = UNKNOWN;
  }

  private byte[] a() {
    return more.bytes();
  }

  private int begin() {
    return more.cellsAt();
  }

  private int end() {
    return more.cellsEnd();
  }

  /** Index of the first cell that waits. */
  private int firstAt() {
    return begin() + HEAD + removedBytes;
  }

  private static int waitingEnd(byte[] a, int at) {
    return at + WAITING_HEAD + (int) INT.get(a, at + WAITING_HEAD - Integer.BYTES);
  }

  private static int sumEnd(byte[] a, int at) {
    return at + SUM_HEAD + (int) INT.get(a, at + SUM_HEAD - Integer.BYTES);
  }

  /** Number of cells that wait. */
  int waiting() {
    return begin() == end() ? 0 : (int) INT.get(a(), begin() + Long.BYTES) - removed;
  }

  boolean isEmpty() {
    return begin() == end() || firstAt() == end();
  }

  /** Time of the first cell that waits, ms since the epoch; Long.MAX_VALUE without. */
  long first() {
    return waiting() == 0 ? Long.MAX_VALUE : (long) LONG.get(a(), firstAt());
  }

  /** Index of the sums; there must be a part. */
  private int sumsAt() {
    if (sumsAt == UNKNOWN) {
      int at = firstAt();
      for (int left = waiting(); left > 0; left--) {
        at = waitingEnd(a(), at);
      }
      sumsAt = at - begin();
    }
    return begin() + sumsAt;
  }

  /** Bytes of all cells and sums. */
  private int cellBytes() {
    if (begin() == end()) {
      return 0;
    }
    int heads = WAITING_HEAD * waiting();
    for (int at = sumsAt(); at < end(); at = sumEnd(a(), at)) {
      heads += SUM_HEAD;
    }
    return end() - firstAt() - heads;
  }

  /**
   * Lets a cell wait. A later one of an instant replaces that before, as in a TSD.
   *
   * @return {@link Outcome#LATE} if there is no room
   */
  Outcome put(StreamPoint point) {
    int count = waiting();
    int at = begin() == end() ? begin() : firstAt();
    int place = at;
    boolean isPlaced = false;
    for (int i = 0; i < count; i++) {
      isPlaced |= (long) LONG.get(a(), at) >= point.millis;
      at = waitingEnd(a(), at);
      place = isPlaced ? place : at;
    }
    if (count > 0) {
      sumsAt = at - begin();
    }
    boolean isThere = isPlaced && (long) LONG.get(a(), place) == point.millis;
    if (cellBytes() + point.cell.length > MOST_BYTES || (!isThere && count >= MOST_WAITING)) {
      return Outcome.LATE;
    }
    byte marks = (point.flags & SeriesEntry.MILLIS) == 0 ? 0 : MILLIS;
    int length = WAITING_HEAD + point.cell.length;
    if (isThere) {
      marks |= a()[place + Long.BYTES] == marks ? 0 : TWO_COLUMNS;
      length -= waitingEnd(a(), place) - place;
    } else if (begin() == end()) {
      more.insertCells(begin(), HEAD);
      Arrays.fill(a(), begin(), begin() + HEAD, (byte) 0);
      place = firstAt();
      sumsAt = HEAD;
    }
    splice(place, length);
    sumsAt += length;
    byte[] a = a();
    LONG.set(a, place, point.millis);
    a[place + Long.BYTES] = marks;
    INT.set(a, place + WAITING_HEAD - Integer.BYTES, point.cell.length);
    System.arraycopy(point.cell, 0, a, place + WAITING_HEAD, point.cell.length);
    INT.set(a, begin() + Long.BYTES, removed + count + (isThere ? 0 : 1));
    LONG.set(a, begin(), first());
    return isThere ? Outcome.REPLACED : Outcome.HELD;
  }

  /** Makes room at an index, or takes some away; the bytes there are undefined then. */
  private void splice(int at, int length) {
    if (length > 0) {
      more.insertCells(at, length);
    } else if (length < 0) {
      more.deleteCells(at, -length);
    }
  }

  /** Whether the first cell's instant has another one. There must be a cell. */
  boolean isTwice() {
    return (a()[firstAt() + Long.BYTES] & TWO_COLUMNS) != 0;
  }

  /** Adds the first cell that waits to a bucket. There must be one. */
  void add(int interval, int start) {
    int cell = firstAt() + WAITING_HEAD;
    int length = waitingEnd(a(), firstAt()) - cell;
    int at = sumsAt();
    while (at < end() && key(at) < key(interval, start)) {
      at = sumEnd(a(), at);
    }
    boolean isThere = at < end() && key(at) == key(interval, start);
    int before = isThere ? sumEnd(a(), at) - at - SUM_HEAD : 0;
    byte[] left = {a()[cell]};
    byte[] sum = sum(at + SUM_HEAD, before, cell, length);
    sum = sum == null || cellBytes() - before + sum.length > MOST_BYTES ? left : sum;
    splice(at, sum.length - before + (isThere ? 0 : SUM_HEAD));
    byte[] a = a();
    a[at] = (byte) interval;
    INT.set(a, at + 1, start);
    INT.set(a, at + SUM_HEAD - Integer.BYTES, sum.length);
    System.arraycopy(sum, 0, a, at + SUM_HEAD, sum.length);
  }

  /** The order of the sums. */
  private static long key(int interval, int start) {
    return (long) start << Byte.SIZE | interval;
  }

  private long key(int at) {
    return key(a()[at], (int) INT.get(a(), at + 1));
  }

  /**
   * The sum of a bucket and a cell; null if it is left to the nightly run.
   *
   * @param before length of the sum before; 0 without
   */
  private byte @Nullable [] sum(int beforeAt, int before, int cell, int length) {
    byte[] a = a();
    String codec = intervals.codecs().codec(a[cell] & 0xff);
    if (codec == null || length == 1 || (before > 0 && (before == 1 || a[beforeAt] != a[cell]))) {
      return null;
    }
    histogram.clear();
    try {
      if (before > 0) {
        histogram.addCell(codec, a, beforeAt + 1, before - 1);
      }
      histogram.addCell(codec, a, cell + 1, length - 1);
    } catch (HistogramException e) {
      return null;
    }
    byte[] sum = histogram.bytes();
    return sum == null ? null : ByteBuffer.allocate(1 + sum.length).put(a[cell]).put(sum).array();
  }

  /** Removes the first cell that waits. There must be one. */
  void remove() {
    removedBytes += waitingEnd(a(), firstAt()) - firstAt();
    removed++;
  }

  /** Takes the cells that were removed out of the array, which then has the format above. */
  void flush() {
    if (removed > 0) {
      int left = waiting();
      more.deleteCells(begin() + HEAD, removedBytes);
      sumsAt = sumsAt == UNKNOWN ? UNKNOWN : sumsAt - removedBytes;
      removed = 0;
      removedBytes = 0;
      INT.set(a(), begin() + Long.BYTES, left);
      LONG.set(a(), begin(), first());
    }
    if (begin() < end() && isEmpty()) {
      more.dropCells();
      sumsAt = UNKNOWN;
    }
  }

  /** Index of the sum of a bucket; -1 if it had no cell. */
  private int find(int interval, int start) {
    for (int at = begin() == end() ? end() : sumsAt(); at < end(); at = sumEnd(a(), at)) {
      if (key(at) == key(interval, start)) {
        return at;
      }
    }
    return -1;
  }

  /** Whether a bucket has had a cell. */
  boolean has(int interval, int start) {
    return find(interval, start) >= 0;
  }

  /** Removes and returns the sum of a bucket; null if it had no cell. */
  byte @Nullable [] take(int interval, int start) {
    int at = find(interval, start);
    if (at < 0) {
      return null;
    }
    int end = sumEnd(a(), at);
    byte[] sum = Arrays.copyOfRange(a(), at + SUM_HEAD, end);
    more.deleteCells(at, end - at);
    return sum;
  }

  /** Drops the sums of buckets that the entry has no more: a job without suite has ended them. */
  void dropEnded(SeriesEntry entry) {
    for (int at = begin() == end() ? end() : sumsAt(); at < end(); ) {
      int interval = a()[at];
      int start = (int) INT.get(a(), at + 1);
      boolean isThere = entry.start(interval) == start;
      for (int i = 0; i < entry.closed(); i++) {
        isThere |= entry.closedInterval(i) == interval && entry.closedStart(i) == start;
      }
      int end = sumEnd(a(), at);
      if (isThere) {
        at = end;
      } else {
        more.deleteCells(at, end - at);
      }
    }
  }
}
