package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import java.util.Arrays;

/** A series with its rollups that are not sent yet, in order of arrival. For one thread. */
final class SeriesRollups {
  private static final int TIMESTAMP = 0;
  private static final int SUM = 1;
  private static final int MIN = 2;
  private static final int MAX = 3;
  private static final int COUNT = 4;
  private static final int FIELDS = 5;
  private static final int INITIAL = 4;

  /** Heap of one rollup: its fields and the reference to its interval. */
  private static final int ROLLUP_BYTES = FIELDS * Long.BYTES + 4;

  /** Heap of the objects of one series, without the bytes of their arrays. */
  private static final int OBJECT_BYTES = 120;

  /** The tags in the row key. */
  private final byte[] tags;

  private final SeriesText text;

  /** Five for each rollup. */
  private long[] fields = {};

  private String[] intervals = {};
  private int size;

  /**
   * @param tags the tag pairs of a row key
   */
  SeriesRollups(byte[] tags, SeriesText text) {
    this.tags = tags;
    this.text = text;
  }

  /** Whether a row key has these tag pairs. */
  boolean hasTags(byte[] array, int from, int to) {
    return Arrays.equals(tags, 0, tags.length, array, from, to);
  }

  /** The tag pairs of the row key; must not be changed. */
  byte[] tags() {
    return tags;
  }

  /** The names of the series. */
  SeriesText text() {
    return text;
  }

  /** Number of rollups. */
  int size() {
    return size;
  }

  /** Heap of this object, about. */
  int heapBytes() {
    return OBJECT_BYTES + tags.length + text.heapBytes() + intervals.length * ROLLUP_BYTES;
  }

  /** Heap of a number of rollups. */
  static int heapBytes(int rollups) {
    return rollups * ROLLUP_BYTES;
  }

  /**
   * By how much {@link #heapBytes()} grows with the next rollup.
   *
   * @param most number of rollups that are held back at most
   */
  int growth(int most) {
    return size < intervals.length ? 0 : (capacity(most) - size) * ROLLUP_BYTES;
  }

  private int capacity(int most) {
    return Math.min(most, Math.max(INITIAL, 2 * size));
  }

  /**
   * Adds a rollup or a deletion.
   *
   * @param most as for {@link #growth}, above {@link #size}
   * @return the growth of {@link #heapBytes()}
   */
  int add(RollupPoint point, int most) {
    int before = intervals.length;
    if (size == before) {
      int capacity = capacity(most);
      intervals = Arrays.copyOf(intervals, capacity);
      fields = Arrays.copyOf(fields, capacity * FIELDS);
    }
    intervals[size] = point.interval();
    int at = size++ * FIELDS;
    fields[at + TIMESTAMP] = point.timestamp();
    fields[at + SUM] = Double.doubleToRawLongBits(point.sum());
    fields[at + MIN] = Double.doubleToRawLongBits(point.min());
    fields[at + MAX] = Double.doubleToRawLongBits(point.max());
    fields[at + COUNT] = point.count();
    return (intervals.length - before) * ROLLUP_BYTES;
  }

  /** Adds a rollup to a message. */
  void addTo(SeriesMessage message, int rollup) {
    int at = rollup * FIELDS;
    message.add(
        fields[at + TIMESTAMP],
        intervals[rollup],
        Double.longBitsToDouble(fields[at + SUM]),
        Double.longBitsToDouble(fields[at + MIN]),
        Double.longBitsToDouble(fields[at + MAX]),
        fields[at + COUNT]);
  }

  /** Removes all rollups. */
  void clear() {
    size = 0;
  }
}
