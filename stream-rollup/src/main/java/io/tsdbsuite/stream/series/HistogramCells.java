package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The native histograms of a series: cells that wait for the slack, and the sums of its buckets. A
 * part of the array of {@link MoreBuckets}; reusable, not thread-safe. All numbers are
 * little-endian.
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

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Waiting(byte marks, byte[] cell) {}

  private final StreamIntervals intervals;
  private final BucketHistogram histogram;
  private final TreeMap<Long, Waiting> waiting = new TreeMap<>();

  /** By start and interval. */
  private final TreeMap<Long, byte[]> sums = new TreeMap<>();

  /** Bytes of all cells. */
  private int bytes;

  private boolean isChanged;

  HistogramCells(StreamIntervals intervals) {
    this.intervals = intervals;
    this.histogram = new BucketHistogram(intervals.codecs());
  }

  /** Reads the part of an array that {@link #write} has written; a length of 0 is empty. */
  void read(byte[] a, int from, int length) {
    waiting.clear();
    sums.clear();
    bytes = 0;
    isChanged = false;
    if (length == 0) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(a, from, length).order(ByteOrder.LITTLE_ENDIAN);
    in.getLong();
    for (int left = in.getInt(); left > 0; left--) {
      long time = in.getLong();
      waiting.put(time, new Waiting(in.get(), cell(in)));
    }
    while (in.hasRemaining()) {
      int interval = in.get();
      sums.put(key(interval, in.getInt()), cell(in));
    }
  }

  private byte[] cell(ByteBuffer in) {
    byte[] cell = new byte[in.getInt()];
    in.get(cell);
    bytes += cell.length;
    return cell;
  }

  /** The bytes of all; none if there is nothing. */
  byte[] write() {
    if (isEmpty()) {
      return new byte[0];
    }
    int length = HEAD + WAITING_HEAD * waiting.size() + SUM_HEAD * sums.size() + bytes;
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(first()).putInt(waiting.size());
    waiting.forEach(
        (time, each) -> out.putLong(time).put(each.marks).putInt(each.cell.length).put(each.cell));
    sums.forEach(
        (key, sum) -> out.put((byte) (long) key).putInt(start(key)).putInt(sum.length).put(sum));
    return out.array();
  }

  private static long key(int interval, int start) {
    return (long) start << Byte.SIZE | interval;
  }

  private static int start(long key) {
    return (int) (key >> Byte.SIZE);
  }

  boolean isEmpty() {
    return waiting.isEmpty() && sums.isEmpty();
  }

  /** Whether anything differs from what was read. */
  boolean isChanged() {
    return isChanged;
  }

  /** Time of the first cell that waits, ms since the epoch; Long.MAX_VALUE without. */
  long first() {
    return waiting.isEmpty() ? Long.MAX_VALUE : waiting.firstKey();
  }

  /**
   * Lets a cell wait. A later one of an instant replaces that before, as in a TSD.
   *
   * @return {@link Outcome#LATE} if there is no room
   */
  Outcome put(StreamPoint point) {
    Waiting before = waiting.get(point.millis);
    if (bytes + point.cell.length > MOST_BYTES
        || (before == null && waiting.size() >= MOST_WAITING)) {
      return Outcome.LATE;
    }
    byte marks = (point.flags & SeriesEntry.MILLIS) == 0 ? 0 : MILLIS;
    if (before != null) {
      bytes -= before.cell.length;
      marks |= before.marks == marks ? 0 : TWO_COLUMNS;
    }
    waiting.put(point.millis, new Waiting(marks, point.cell));
    bytes += point.cell.length;
    isChanged = true;
    return before == null ? Outcome.HELD : Outcome.REPLACED;
  }

  /** Whether the first cell's instant has another one. There must be a cell. */
  boolean isTwice() {
    return (waiting.firstEntry().getValue().marks & TWO_COLUMNS) != 0;
  }

  /** Adds the first cell that waits to a bucket. There must be one. */
  void add(int interval, int start) {
    byte[] cell = waiting.firstEntry().getValue().cell;
    byte[] before = sums.get(key(interval, start));
    byte[] left = {cell[0]};
    byte[] sum = sum(before, cell);
    int length = before == null ? 0 : before.length;
    sum = sum == null || bytes - length + sum.length > MOST_BYTES ? left : sum;
    sums.put(key(interval, start), sum);
    bytes += sum.length - length;
    isChanged = true;
  }

  /** Null if it is left to the nightly run. */
  private byte @Nullable [] sum(byte @Nullable [] before, byte[] cell) {
    String codec = intervals.codecs().codec(cell[0] & 0xff);
    if (codec == null
        || cell.length == 1
        || (before != null && (before.length == 1 || before[0] != cell[0]))) {
      return null;
    }
    histogram.clear();
    try {
      if (before != null) {
        histogram.addCell(codec, before, 1, before.length - 1);
      }
      histogram.addCell(codec, cell, 1, cell.length - 1);
    } catch (HistogramException e) {
      return null;
    }
    byte[] sum = histogram.bytes();
    return sum == null ? null : ByteBuffer.allocate(1 + sum.length).put(cell[0]).put(sum).array();
  }

  /** Removes the first cell that waits. There must be one. */
  void remove() {
    bytes -= waiting.pollFirstEntry().getValue().cell.length;
    isChanged = true;
  }

  /** Whether a bucket has had a cell. */
  boolean has(int interval, int start) {
    return sums.containsKey(key(interval, start));
  }

  /** Removes and returns the sum of a bucket; null if it had no cell. */
  byte @Nullable [] take(int interval, int start) {
    byte[] sum = sums.remove(key(interval, start));
    if (sum != null) {
      bytes -= sum.length;
      isChanged = true;
    }
    return sum;
  }

  /** Drops the sums of buckets that the entry has no more: a job without suite has ended them. */
  void dropEnded(SeriesEntry entry) {
    for (Long key : sums.keySet().toArray(new Long[0])) {
      int interval = key.byteValue();
      int start = start(key);
      boolean isThere = entry.start(interval) == start;
      for (int i = 0; i < entry.closed(); i++) {
        isThere |= entry.closedInterval(i) == interval && entry.closedStart(i) == start;
      }
      if (!isThere) {
        take(interval, start);
      }
    }
  }
}
