package io.tsdbsuite.stream.series;

import java.util.Arrays;

/**
 * The points of a {@link SeriesEntry} that wait for the slack, in the order of time, with a cursor
 * on one of them. The cursor stays on its point while the rest of the entry changes. A point that
 * is not before the last one is placed at once; an older one is searched from the first, which
 * takes a step for each point: see {@link #isBeforeLast}. Not thread-safe.
 */
final class WaitingPoints {
  private static final long MILLIS = 1000;

  /** Greatest distance of the first point from the origin, seconds: most times have two bytes. */
  private static final int MAX_ORIGIN_AGE = 8192;

  /** How far the origin moves back behind an older point, seconds: others may follow. */
  private static final int ORIGIN_MARGIN = 4096;

  private final SeriesEntry entry;
  private final byte[] packed = new byte[PackedPoint.MAX];

  /** Index of the cursor's point behind the first byte of the points. */
  private int cursor;

  WaitingPoints(SeriesEntry entry) {
    this.entry = entry;
  }

  /** Moves the cursor to the first point; returns false if there is none. */
  boolean first() {
    cursor = 0;
    return entry.points() > 0;
  }

  /** Moves the cursor to the point in the middle. There must be one. */
  void middle() {
    first();
    for (int i = entry.points() / 2; i > 0; i--) {
      next();
    }
  }

  /** Moves the cursor to the last point. There must be one. */
  void last() {
    cursor = entry.last();
  }

  /** Whether the place of a time must be searched. There must be a point. Moves the cursor. */
  boolean isBeforeLast(long time) {
    last();
    return time < time();
  }

  /** Moves the cursor to the next point; returns false behind the last one. */
  boolean next() {
    cursor = PackedPoint.end(entry.array(), at()) - entry.pointsStart();
    return at() < entry.used();
  }

  /**
   * Moves the cursor to the first point that is not before a time, or behind the last one.
   *
   * @return whether its time is the same
   */
  boolean seek(long time) {
    if (entry.points() == 0) {
      cursor = 0;
      return false;
    }
    last();
    long last = time();
    if (time == last) {
      return true;
    }
    if (time > last) {
      behindLast();
      return false;
    }
    for (boolean found = first(); found; found = next()) {
      if (time() >= time) {
        return time() == time;
      }
    }
    return false;
  }

  /** Moves the cursor behind the last point. */
  void behindLast() {
    cursor = entry.used() - entry.pointsStart();
  }

  private int at() {
    return entry.pointsStart() + cursor;
  }

  /** Time of the first point, seconds since the epoch; 0 if there is none. */
  int firstSecond() {
    return entry.points() == 0 ? 0 : second(entry.pointsStart());
  }

  private int second(int at) {
    return entry.origin() + PackedPoint.seconds(entry.array(), at);
  }

  /** Time of the cursor's point, milliseconds since the epoch. */
  long time() {
    return second(at()) * MILLIS + PackedPoint.millis(entry.array(), at());
  }

  /** Column and marks of the cursor's point. */
  int flags() {
    return PackedPoint.flags(entry.array(), at());
  }

  /** The bytes of the stored value of the cursor's point as an unsigned big-endian number. */
  long bits() {
    return PackedPoint.bits(entry.array(), at());
  }

  /**
   * Inserts a point before that of the cursor, which moves to it.
   *
   * @return whether it is not behind another one
   */
  boolean insert(long time, int flags, long bits) {
    int second = (int) (time / MILLIS);
    int count = entry.points();
    if (count == 0) {
      entry.origin(second);
    } else if (second < entry.origin()) {
      moveOrigin(Math.max(0, second - ORIGIN_MARGIN));
    }
    boolean isLast = at() == entry.used();
    int length = put(time, flags, bits);
    entry.last(isLast ? cursor : entry.last() + length);
    entry.points(count + 1);
    return cursor == 0;
  }

  /** Replaces the cursor's point by one of the same time. */
  void replace(int flags, long bits) {
    long time = time();
    int at = at();
    int before = PackedPoint.end(entry.array(), at) - at;
    entry.delete(at, before);
    int length = put(time, flags, bits);
    if (cursor != entry.last()) {
      entry.last(entry.last() + length - before);
    }
  }

  /** Writes a point where the cursor is; returns its length. */
  private int put(long time, int flags, long bits) {
    int seconds = (int) (time / MILLIS) - entry.origin();
    int length = PackedPoint.write(packed, 0, seconds, (int) (time % MILLIS), flags, bits);
    int at = at();
    entry.insert(at, length);
    System.arraycopy(packed, 0, entry.array(), at, length);
    return length;
  }

  /**
   * Removes the points before the cursor, which stays.
   *
   * @param count their number
   */
  void removeBefore(int count) {
    if (count == 0) {
      return;
    }
    entry.delete(entry.pointsStart(), cursor);
    entry.points(entry.points() - count);
    entry.last(entry.last() - cursor);
    cursor = 0;
    if (entry.points() > 0 && firstSecond() - entry.origin() > MAX_ORIGIN_AGE) {
      moveOrigin(firstSecond());
    }
  }

  /** Writes the times of all points again. The cursor must be on the first one. */
  private void moveOrigin(int origin) {
    int start = entry.pointsStart();
    byte[] old = Arrays.copyOfRange(entry.array(), start, entry.used());
    int shift = entry.origin() - origin;
    entry.delete(start, old.length);
    entry.origin(origin);
    int to = start;
    int end;
    for (int from = 0; from < old.length; from = end) {
      end = PackedPoint.end(old, from);
      int head = PackedPoint.head(old, from);
      int length = PackedPoint.writeSeconds(packed, 0, PackedPoint.seconds(old, from) + shift);
      entry.insert(to, length + end - head);
      System.arraycopy(packed, 0, entry.array(), to, length);
      System.arraycopy(old, head, entry.array(), to + length, end - head);
      entry.last(to - start);
      to += length + end - head;
    }
  }
}
