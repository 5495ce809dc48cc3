package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.message.write.RollupValues;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a series beside {@link SeriesEntry} for percentiles, first, last and sketches of
 * its buckets, packed into one array. All buckets share one list of points, in the order of time:
 * the points of an open bucket are those from its first one to the end. A bucket without further
 * aggregators keeps few points, and a sketch of those before. A reusable view; not thread-safe. All
 * numbers are little-endian.
 *
 * <pre>
 *    0  byte  version: 1, or 2 with native histograms
 *    1  byte  number of closed buckets C
 *    2  int   offset of the points
 *    6  int   number of points P
 *   10  16 for each interval, the open bucket: start (s; 0 without), index of its first point,
 *       number of points in its sketch, bytes of its sketch S
 *       S for each interval: Sketch#bytes
 *       C: interval (byte), start (s), names (byte), 8 for each name, length H, H: Sketch#bytes
 *       version 2: N: HistogramCells, int N
 *       8 P: doubles
 *       spare
 *
 *   names   a bit for each of SuiteConfig#NAMES
 * </pre>
 */
final class MoreBuckets {
  /** A bucket with further aggregators of more points is dropped. */
  static final int MOST_POINTS = 20_000;

  /** This many points go into the sketch of a bucket without further aggregators. */
  static final int MOST_LOOSE = 512;

  private static final byte VERSION = 1;
  private static final byte WITH_CELLS = 2;
  private static final int HEADER = 10;
  private static final int OPEN = 16;
  private static final int CLOSED_HEAD = 6;

  /** Room for this many more bytes at least when an array grows. */
  private static final int SPARE = 64;

  /** An array grows by this part of itself. */
  private static final int GROWTH = 16;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final SeriesEntry entry;
  private final int intervals;
  private final HistogramCodecs codecs;
  private final long cellsFrom;
  private final HistogramCells cells;

  /** Whether {@link #array} must look for spare room. */
  private boolean mayTrim;

  private final Sketch sketch = new Sketch();
  private final double[] further = new double[SuiteConfig.NAMES.size()];
  private double[] values = {};
  private byte[] a = {};

  /**
   * Creates a view.
   *
   * @param entry that of the same series
   * @param cellsFrom buckets that begin before may lack native histograms, ms since the epoch
   */
  MoreBuckets(SeriesEntry entry, StreamIntervals intervals, long cellsFrom) {
    this.entry = entry;
    this.intervals = intervals.size();
    this.codecs = intervals.codecs();
    this.cellsFrom = cellsFrom;
    this.cells = new HistogramCells(this, intervals);
  }

  /**
   * Views a state; changes go to the array, or to another one: {@link #array}.
   *
   * @param array null begins an empty one
   * @throws IllegalStateException when the array is no such state
   */
  void wrap(byte @Nullable [] array) {
    cells.wrap();
    mayTrim = false;
    if (array == null) {
      a = new byte[HEADER + intervals * OPEN + SPARE];
      a[0] = VERSION;
      INT.set(a, 2, HEADER + intervals * OPEN);
      return;
    }
    a = array;
    if (a.length < HEADER + intervals * OPEN
        || (a[0] != VERSION && a[0] != WITH_CELLS)
        || used() > a.length) {
      throw new IllegalStateException(
          "the further values of a series must have version %s or %s and %s intervals, found %s"
                  .formatted(VERSION, WITH_CELLS, intervals, a.length)
              + " bytes of"
              + " version "
              + (a.length == 0 ? "none" : Byte.toString(a[0])));
    }
  }

  /** The array with all changes. */
  byte[] array() {
    if (a[0] == WITH_CELLS) {
      cells.flush();
    }
    if (mayTrim) {
      trim();
      mayTrim = false;
    }
    return a;
  }

  /** The native histograms. */
  HistogramCells cells() {
    return cells;
  }

  /** The array as it is, for {@link HistogramCells}. */
  byte[] bytes() {
    return a;
  }

  /** Index of the native histograms, behind the closed buckets. */
  int cellsAt() {
    return a[0] == WITH_CELLS
        ? head() - Integer.BYTES - (int) INT.get(a, head() - Integer.BYTES)
        : head();
  }

  /** Index behind the native histograms. */
  int cellsEnd() {
    return a[0] == WITH_CELLS ? head() - Integer.BYTES : head();
  }

  /** Makes room among the native histograms, or for the first; the bytes in it are undefined. */
  void insertCells(int at, int length) {
    int before = cellsEnd() - cellsAt();
    int more = a[0] == WITH_CELLS ? length : length + Integer.BYTES;
    insert(at, more);
    INT.set(a, 2, head() + more);
    INT.set(a, head() - Integer.BYTES, before + length);
    a[0] = WITH_CELLS;
  }

  /** Removes bytes of the native histograms. */
  void deleteCells(int at, int length) {
    int before = cellsEnd() - cellsAt();
    deleteHead(at, length);
    INT.set(a, head() - Integer.BYTES, before - length);
    mayTrim = true;
  }

  /** Removes the part of the native histograms. */
  void dropCells() {
    deleteHead(cellsAt(), head() - cellsAt());
    a[0] = VERSION;
    mayTrim = true;
  }

  /** Time of the first native histogram that waits, ms; Long.MAX_VALUE without. */
  long firstCell() {
    return a[0] == WITH_CELLS ? cells.first() : Long.MAX_VALUE;
  }

  /** Number of native histograms that wait in an array. */
  int waitingCells(byte[] array) {
    wrap(array);
    return cells.waiting();
  }

  private int used() {
    return head() + Double.BYTES * points();
  }

  /** Whether there is neither an open nor a closed bucket, nor a native histogram. */
  boolean isEmpty() {
    if (!cells.isEmpty()) {
      return false;
    }
    for (int i = 0; i < intervals; i++) {
      if (start(i) != 0) {
        return false;
      }
    }
    return a[1] == 0;
  }

  private int head() {
    return (int) INT.get(a, 2);
  }

  private int points() {
    return (int) INT.get(a, 6);
  }

  private static int open(int interval) {
    return HEADER + interval * OPEN;
  }

  /** Start of the open bucket, seconds; 0 if there is none or it was dropped. */
  int start(int interval) {
    return (int) INT.get(a, open(interval));
  }

  private int from(int interval) {
    return (int) INT.get(a, open(interval) + 4);
  }

  private int sketched(int interval) {
    return (int) INT.get(a, open(interval) + 8);
  }

  private int sketchLength(int interval) {
    return (int) INT.get(a, open(interval) + 12);
  }

  private int sketchAt(int interval) {
    int at = HEADER + intervals * OPEN;
    for (int i = 0; i < interval; i++) {
      at += sketchLength(i);
    }
    return at;
  }

  /**
   * Drops open buckets that lack points of the entry's, or of which the selection has nothing: the
   * state may be of an earlier configuration, or of a time without one.
   */
  void match(MoreSelections.Of selection) {
    for (int i = 0; i < intervals; i++) {
      boolean fits =
          selection.has(i)
              && start(i) == entry.start(i)
              && sketched(i) + points() - from(i) == entry.count(i)
              && (sketched(i) == 0 || selection.names().get(i).isEmpty());
      if (start(i) != 0 && !fits) {
        drop(i);
      }
    }
  }

  /** Opens a bucket, whose first point is the next one. */
  void open(int interval, int start) {
    INT.set(a, open(interval), start);
    INT.set(a, open(interval) + 4, points());
  }

  /** Adds a point to all open buckets. It is finite. */
  void add(double value, MoreSelections.Of selection) {
    boolean isOpen = false;
    for (int i = 0; i < intervals; i++) {
      if (start(i) == 0) {
        continue;
      }
      int loose = points() - from(i);
      if (!selection.names().get(i).isEmpty()) {
        if (loose >= MOST_POINTS) {
          drop(i);
        }
      } else if (loose >= MOST_LOOSE) {
        gather(i);
        if (sketch.isTooWide()) {
          drop(i);
        } else {
          int sketched = sketched(i) + loose;
          replace(i, sketch.bytes());
          INT.set(a, open(i) + 4, points());
          INT.set(a, open(i) + 8, sketched);
          trim();
        }
      }
      isOpen |= start(i) != 0;
    }
    if (isOpen) {
      insert(used(), Double.BYTES);
      DOUBLE.set(a, used(), value);
      INT.set(a, 6, points() + 1);
    }
  }

  /** Makes the sketch of all points of an open bucket. */
  private void gather(int interval) {
    sketch.clear();
    int length = sketchLength(interval);
    if (length > 0) {
      sketch.add(a, sketchAt(interval), length);
    }
    int points = copy(from(interval));
    sketch.addAll(values, 0, points);
  }

  /** Copies the points from an index on to {@link #values}; returns their number. */
  private int copy(int from) {
    int length = points() - from;
    if (values.length < length) {
      values = new double[2 * length];
    }
    int at = head() + Double.BYTES * from;
    for (int i = 0; i < length; i++) {
      values[i] = (double) DOUBLE.get(a, at + Double.BYTES * i);
    }
    return length;
  }

  /** Replaces the sketch of an open bucket. */
  private void replace(int interval, byte[] bytes) {
    int at = sketchAt(interval);
    deleteHead(at, sketchLength(interval));
    insertHead(at, bytes);
    INT.set(a, open(interval) + 12, bytes.length);
  }

  /** Drops an open bucket. */
  private void drop(int interval) {
    deleteHead(sketchAt(interval), sketchLength(interval));
    Arrays.fill(a, open(interval), open(interval) + OPEN, (byte) 0);
    trim();
  }

  /** Moves an open bucket to the closed ones. */
  void close(int interval, MoreSelections.Of selection) {
    if (a[1] != 0) {
      dropEmitted();
    }
    cells.dropEnded(entry);
    if (start(interval) == 0) {
      return;
    }
    if (entry.count(interval) == 0) {
      drop(interval);
      return;
    }
    List<String> names = selection.names().get(interval);
    byte[] histogram = {};
    if (selection.hasHistogram(interval) && !cells.has(interval, start(interval))) {
      gather(interval);
      histogram = sketch.isTooWide() ? histogram : sketch.bytes();
    }
    byte[] closed = new byte[CLOSED_HEAD + Double.BYTES * names.size() + 4 + histogram.length];
    closed[0] = (byte) interval;
    INT.set(closed, 1, start(interval));
    closed[5] = (byte) mask(names);
    if (!names.isEmpty()) {
      int points = copy(from(interval));
      Percentiles.further(names, values, 0, points, further, 0);
      for (int i = 0; i < names.size(); i++) {
        DOUBLE.set(closed, CLOSED_HEAD + Double.BYTES * i, further[i]);
      }
    }
    INT.set(closed, closed.length - histogram.length - 4, histogram.length);
    System.arraycopy(histogram, 0, closed, closed.length - histogram.length, histogram.length);
    drop(interval);
    insertHead(cellsAt(), closed);
    a[1]++;
  }

  private static int mask(List<String> names) {
    int mask = 0;
    for (String name : names) {
      mask |= 1 << SuiteConfig.NAMES.indexOf(name);
    }
    return mask;
  }

  /**
   * Removes a closed bucket, and gives a rollup its further values and histogram.
   *
   * @return whether the rollup has all that the selection has
   */
  boolean take(int interval, int start, MoreSelections.Of selection, RollupValues rollup) {
    List<String> names = selection.names().get(interval);
    boolean lacksNames = !names.isEmpty() && rollup.hasValues();
    boolean lacksHistogram = selection.hasHistogram(interval);
    byte[] sum = cells.take(interval, start);
    for (int at = sketchAt(intervals); at < cellsAt(); at = closedEnd(at)) {
      if (a[at] != interval || (int) INT.get(a, at + 1) != start) {
        continue;
      }
      int end = closedEnd(at);
      int length = (int) INT.get(a, lengthAt(at));
      if (lacksNames && (a[at + 5] & 0xff) == mask(names)) {
        rollup.further(names);
        for (int i = 0; i < names.size(); i++) {
          rollup.further(i, (double) DOUBLE.get(a, at + CLOSED_HEAD + Double.BYTES * i));
        }
        lacksNames = false;
      }
      if (lacksHistogram && sum == null && length > 0) {
        rollup.histogram(HistogramCodecs.SKETCH, Arrays.copyOfRange(a, end - length, end));
        lacksHistogram = false;
      }
      deleteClosed(at);
      break;
    }
    String codec = sum == null || sum.length == 1 ? null : codecs.codec(sum[0]);
    if (lacksHistogram && codec != null && sum != null && start * 1000L >= cellsFrom) {
      rollup.histogram(codec, Arrays.copyOfRange(sum, 1, sum.length));
      lacksHistogram = false;
    }
    return !lacksNames && !lacksHistogram;
  }

  /** Drops closed buckets that the entry has no more: they were emitted by a job without suite. */
  private void dropEmitted() {
    for (int at = sketchAt(intervals); at < cellsAt(); ) {
      boolean isClosed = false;
      for (int i = 0; i < entry.closed(); i++) {
        isClosed |=
            entry.closedInterval(i) == a[at] && entry.closedStart(i) == (int) INT.get(a, at + 1);
      }
      if (isClosed) {
        at = closedEnd(at);
      } else {
        deleteClosed(at);
      }
    }
  }

  /** Index of the length of the sketch of a closed bucket. */
  private int lengthAt(int at) {
    return at + CLOSED_HEAD + Double.BYTES * Integer.bitCount(a[at + 5] & 0xff);
  }

  private int closedEnd(int at) {
    int lengthAt = lengthAt(at);
    return lengthAt + 4 + (int) INT.get(a, lengthAt);
  }

  private void deleteClosed(int at) {
    deleteHead(at, closedEnd(at) - at);
    a[1]--;
    trim();
  }

  /** Removes the points that no open bucket has, and much spare room. */
  private void trim() {
    int first = points();
    for (int i = 0; i < intervals; i++) {
      first = start(i) == 0 ? first : Math.min(first, from(i));
    }
    if (first > 0) {
      delete(head(), Double.BYTES * first);
      INT.set(a, 6, points() - first);
      for (int i = 0; i < intervals; i++) {
        INT.set(a, open(i) + 4, start(i) == 0 ? 0 : from(i) - first);
      }
    }
    if (a.length > used() + 2 * Math.max(SPARE, used() / GROWTH)) {
      a = Arrays.copyOf(a, used() + SPARE);
    }
  }

  private void insertHead(int at, byte[] bytes) {
    insert(at, bytes.length);
    System.arraycopy(bytes, 0, a, at, bytes.length);
    INT.set(a, 2, head() + bytes.length);
  }

  private void deleteHead(int at, int length) {
    delete(at, length);
    INT.set(a, 2, head() - length);
  }

  /** Makes room; the bytes in it are undefined. {@link #used} does not change. */
  private void insert(int at, int length) {
    int used = used();
    byte[] from = a;
    if (from.length - used < length) {
      a = Arrays.copyOf(from, used + length + Math.max(SPARE, used / GROWTH));
    }
    System.arraycopy(from, at, a, at + length, used - at);
  }

  private void delete(int at, int length) {
    System.arraycopy(a, at + length, a, at, used() - at - length);
  }
}
