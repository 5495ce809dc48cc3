package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.row.PointSummary;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What is kept of one series between two points, packed into one array. A reusable view; not
 * thread-safe. All numbers are little-endian.
 *
 * <pre>
 *    0  int   length in use; the rest of the array is spare
 *    4  int   time of the registered timer, seconds; 0 without
 *    8  long  points before this time (ms) are late
 *   16  int   number of points P
 *   20  byte  number of closed buckets C
 *   21  byte  number of requests R
 *   22  short length of the names N
 *   24  int   buckets that start before this time (s) may lack their mark
 *   28  int   origin of the points' times, seconds
 *   32  int   offset of the last point behind the first
 *   36  N     names, see SeriesNames
 *       33 for each interval: the open bucket
 *       34 C: interval, closed bucket
 *       10 R: start of the bucket (s), due (s), interval, reason; or a mark: start, end (s), -1, 0
 *       P: PackedPoint, in the order of time, see WaitingPoints
 *
 *   bucket: start (s; 0 without), count (0 of native histograms alone), sum, min, max, reason
 * </pre>
 */
final class SeriesEntry {
  /** The value is a floating point number. */
  static final int FLOAT = 0x0800;

  /** The timestamp has milliseconds. */
  static final int MILLIS = 0x0400;

  /** The instant has two columns with the same bytes. */
  static final int TWO_COLUMNS = 0x4000;

  /** The instant has two columns with different bytes. */
  static final int CONFLICT = 0x8000;

  static final int LENGTH_SHIFT = 12;
  static final int COLUMN = FLOAT | MILLIS | 0x3000;

  private static final int HEADER = 36;
  private static final int BUCKET = 33;
  private static final int CLOSED = BUCKET + 1;
  private static final int REQUEST = 10;

  /** Room for this many more bytes at least when an entry grows: some points. */
  static final int SPARE = 24;

  /** A large entry grows by this part of itself, so that many points are not many copies. */
  private static final int GROWTH = 16;

  /** An entry that keeps the room of a bucket that was closed need not grow for the next one. */
  private static final int MAX_SPARE = SPARE + CLOSED;

  /** No interval: times of which buckets that open are not emitted. */
  private static final byte MARK = -1;

  /** Number of marks that have room. */
  static final int MOST_MARKS = 8;

  /** Requests and marks are counted in a byte. */
  private static final int MOST_OF_BOTH = 255;

  private static final int MOST_REQUESTS = MOST_OF_BOTH - MOST_MARKS;
  private static final int MAX_CLOSED = 255;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int intervals;
  private final double[] scratch = new double[PointSummary.STATE];
  private byte[] a = new byte[HEADER];
  private int bucketBase;
  private int closedBase;

  SeriesEntry(int intervals) {
    this.intervals = intervals;
  }

  /** Begins a new entry in an array of its own. */
  void create(byte[] names, long lateBefore) {
    bucketBase = HEADER + names.length;
    closedBase = bucketBase + intervals * BUCKET;
    a = new byte[closedBase + SPARE];
    INT.set(a, 0, closedBase);
    LONG.set(a, 8, lateBefore);
    SHORT.set(a, 22, (short) names.length);
    System.arraycopy(names, 0, a, HEADER, names.length);
  }

  /**
   * Begins an entry in an array of its own, without points, from parts of an older one.
   *
   * @param header the bytes before the origin
   * @param from holds names, buckets and requests
   * @param room for points, bytes
   */
  void create(byte[] header, byte[] from, int start, int end, int room) {
    a = new byte[HEADER + end - start + room];
    System.arraycopy(header, 0, a, 0, header.length);
    System.arraycopy(from, start, a, HEADER, end - start);
    INT.set(a, 0, HEADER + end - start);
    points(0);
    wrap(a);
  }

  /**
   * Views an entry; changes go to the array, or to a larger one: {@link #array}.
   *
   * @throws IllegalStateException when the array is no entry with this number of intervals
   */
  void wrap(byte[] array) {
    a = array;
    bucketBase = HEADER + namesLength();
    closedBase = bucketBase + intervals * BUCKET;
    int start = pointsStart();
    int end = points() == 0 ? start : PackedPoint.end(a, start + last());
    if (used() > array.length || used() != end) {
      throw new IllegalStateException(
          "the state of a series must have "
              + end
              + " bytes for "
              + intervals
              + " intervals, found "
              + used()
              + " bytes and "
              + points()
              + " points in "
              + array.length);
    }
  }

  /** The array with all changes. */
  byte[] array() {
    return a;
  }

  /** Length in use, bytes. */
  int used() {
    return used(a);
  }

  /** Length in use of an array, bytes. */
  static int used(byte[] array) {
    return (int) INT.get(array, 0);
  }

  /** Drops much spare room. */
  void trim() {
    if (a.length > used() + Math.max(MAX_SPARE, 2 * used() / GROWTH)) {
      a = Arrays.copyOf(a, used() + SPARE);
    }
  }

  int timer() {
    return (int) INT.get(a, 4);
  }

  void timer(int seconds) {
    INT.set(a, 4, seconds);
  }

  long lateBefore() {
    return (long) LONG.get(a, 8);
  }

  void lateBefore(long millis) {
    LONG.set(a, 8, millis);
  }

  /** Whether buckets can still open that may lack their mark; of states from before the marks. */
  boolean isUnmarked() {
    return lateBefore() < unmarkedBefore() * 1000L;
  }

  int unmarkedBefore() {
    return (int) INT.get(a, 24);
  }

  int namesLength() {
    return (short) SHORT.get(a, 22) & 0xffff;
  }

  int namesOffset() {
    return HEADER;
  }

  boolean hasNames(byte[] names) {
    return Arrays.equals(a, HEADER, bucketBase, names, 0, names.length);
  }

  // The open bucket of each interval.

  /** Start of the open bucket, seconds; 0 without. */
  int start(int interval) {
    return (int) INT.get(a, bucket(interval));
  }

  /** Number of points in the open bucket. */
  int count(int interval) {
    return (int) INT.get(a, bucket(interval) + 4);
  }

  private int bucket(int interval) {
    return bucketBase + interval * BUCKET;
  }

  void open(int interval, int start) {
    int at = bucket(interval);
    INT.set(a, at, start);
    PointSummary empty = new PointSummary();
    empty.save(scratch, 0);
    store(at);
    a[at + BUCKET - 1] = 0;
  }

  /** Loads the open bucket. */
  void load(int interval, PointSummary summary) {
    loadAt(bucket(interval), summary);
  }

  /** Saves the open bucket. */
  void save(int interval, PointSummary summary) {
    summary.save(scratch, 0);
    store(bucket(interval));
  }

  private void loadAt(int at, PointSummary summary) {
    scratch[0] = Double.longBitsToDouble((long) LONG.get(a, at + 8));
    scratch[1] = Double.longBitsToDouble((long) LONG.get(a, at + 16));
    scratch[2] = Double.longBitsToDouble((long) LONG.get(a, at + 24));
    scratch[3] = (int) INT.get(a, at + 4);
    summary.load(scratch, 0);
  }

  private void store(int at) {
    INT.set(a, at + 4, (int) scratch[3]);
    LONG.set(a, at + 8, Double.doubleToRawLongBits(scratch[0]));
    LONG.set(a, at + 16, Double.doubleToRawLongBits(scratch[1]));
    LONG.set(a, at + 24, Double.doubleToRawLongBits(scratch[2]));
  }

  /** Why the open bucket is not emitted; 0 if it is. */
  byte reason(int interval) {
    return a[bucket(interval) + BUCKET - 1];
  }

  /** The first reason stays. */
  void reason(int interval, byte reason) {
    int at = bucket(interval) + BUCKET - 1;
    if (a[at] == 0) {
      a[at] = reason;
    }
  }

  /** Moves the open bucket to the closed ones. */
  void close(int interval) {
    int count = closed();
    if (count == MAX_CLOSED) {
      throw new IllegalStateException("a series must have at most 255 closed buckets");
    }
    int at = closedBase + count * CLOSED;
    insert(at, CLOSED);
    a[20] = (byte) (count + 1);
    int from = bucket(interval);
    a[at] = (byte) interval;
    System.arraycopy(a, from, a, at + 1, BUCKET);
    Arrays.fill(a, from, from + BUCKET, (byte) 0);
  }

  // Closed buckets, which wait for their time of emission.

  int closed() {
    return a[20] & 0xff;
  }

  private int closedAt(int i) {
    return closedBase + i * CLOSED;
  }

  int closedInterval(int i) {
    return a[closedAt(i)];
  }

  int closedStart(int i) {
    return (int) INT.get(a, closedAt(i) + 1);
  }

  byte closedReason(int i) {
    return a[closedAt(i) + BUCKET];
  }

  void closedReason(int i, byte reason) {
    int at = closedAt(i) + BUCKET;
    if (a[at] == 0) {
      a[at] = reason;
    }
  }

  void loadClosed(int i, PointSummary summary) {
    loadAt(closedAt(i) + 1, summary);
  }

  void removeClosed(int i) {
    delete(closedAt(i), CLOSED);
    a[20]--;
  }

  // Requests that wait for their time.

  int requests() {
    return a[21] & 0xff;
  }

  private int requestAt(int i) {
    return closedBase + closed() * CLOSED + i * REQUEST;
  }

  int requestStart(int i) {
    return (int) INT.get(a, requestAt(i));
  }

  int requestDue(int i) {
    return (int) INT.get(a, requestAt(i) + 4);
  }

  int requestInterval(int i) {
    return a[requestAt(i) + 8];
  }

  byte requestReason(int i) {
    return a[requestAt(i) + 9];
  }

  /** Whether there is no room for another request. */
  boolean isFull() {
    int marks = 0;
    for (int i = 0; i < requests(); i++) {
      marks += isMark(i) ? 1 : 0;
    }
    return requests() - marks >= MOST_REQUESTS;
  }

  /** False only in states from before the marks, whose requests may have taken all room. */
  boolean hasRoomForMark() {
    return requests() < MOST_OF_BOTH;
  }

  boolean isMark(int i) {
    return requestInterval(i) == MARK;
  }

  /** End of a mark, exclusive, seconds. */
  int markEnd(int i) {
    return requestDue(i);
  }

  void addMark(int start, int end) {
    addRequest(start, MARK, (byte) 0, end);
  }

  void addRequest(int start, int interval, byte reason, int due) {
    int count = requests();
    if (count == MOST_OF_BOTH) {
      throw new IllegalStateException("a series must have at most 255 requests and marks");
    }
    int at = requestAt(count);
    insert(at, REQUEST);
    INT.set(a, at, start);
    INT.set(a, at + 4, due);
    a[at + 8] = (byte) interval;
    a[at + 9] = reason;
    a[21] = (byte) (count + 1);
  }

  void removeRequest(int i) {
    delete(requestAt(i), REQUEST);
    a[21]--;
  }

  // Points within the slack: WaitingPoints.

  int points() {
    return (int) INT.get(a, 16);
  }

  void points(int count) {
    INT.set(a, 16, count);
  }

  int origin() {
    return (int) INT.get(a, 28);
  }

  void origin(int second) {
    INT.set(a, 28, second);
  }

  /** Offset of the last point behind the first; without meaning if there is none. */
  int last() {
    return (int) INT.get(a, 32);
  }

  void last(int offset) {
    INT.set(a, 32, offset);
  }

  /** Index of the first point. */
  int pointsStart() {
    return requestAt(requests());
  }

  /** Whether nothing but the names is left. */
  boolean isEmpty() {
    if (closed() > 0 || requests() > 0 || points() > 0 || isUnmarked()) {
      return false;
    }
    for (int i = 0; i < intervals; i++) {
      if (start(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Makes room; the bytes in it are undefined. */
  void insert(int at, int length) {
    int used = used();
    byte[] from = a;
    if (from.length - used < length) {
      a = Arrays.copyOf(from, used + length + Math.max(SPARE, used / GROWTH));
    }
    System.arraycopy(from, at, a, at + length, used - at);
    INT.set(a, 0, used + length);
  }

  void delete(int at, int length) {
    int used = used();
    System.arraycopy(a, at + length, a, at, used - at - length);
    INT.set(a, 0, used - length);
  }
}
