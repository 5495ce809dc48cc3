package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A series with its rollups that are not sent yet, in order of arrival. For one thread. */
final class SeriesRollups {
  private static final int TIMESTAMP = 0;
  private static final int SUM = 1;
  private static final int MIN = 2;
  private static final int MAX = 3;
  private static final int COUNT = 4;
  private static final int FURTHER = 5;
  private static final int INITIAL = 4;

  /** Rollups that are looked at for an equal kind: the 10-minute rollups of an hour are 6. */
  private static final int RECENT = 8;

  /** Heap of one rollup besides its values: the reference to its kind. */
  private static final int REFERENCE_BYTES = 4;

  private static final byte[] NO_HISTOGRAM = {};

  /** Heap of a kind with a histogram, which is not shared, besides the histogram's bytes. */
  private static final int HISTOGRAM_BYTES = 48;

  /** Heap of the objects of one series, without the bytes of their arrays. */
  private static final int OBJECT_BYTES = 120;

  /** The tags in the row key. */
  private final byte[] tags;

  private final SeriesText text;

  /** {@link #stride} for each rollup. */
  private long[] fields = {};

  /** Five, and one for each further aggregator. */
  private int stride = FURTHER;

  /** Of each rollup. */
  private Kind[] kinds = {};

  private int size;

  /** Heap of the histograms of the rollups. */
  private int histogramBytes;

  /** Equal in many rollups, which share it, unless they have a histogram. */
  private record Kind(
      String interval, List<String> names, @Nullable String codec, byte[] histogram) {}

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
    return OBJECT_BYTES + tags.length + text.heapBytes() + arrayBytes(kinds.length, stride);
  }

  /** Heap of a number of rollups like this one. */
  static long heapBytes(int rollups, RollupPoint like) {
    return arrayBytes(rollups, FURTHER + like.rollup().names().size())
        + (long) rollups * histogramBytes(like.rollup());
  }

  private static int histogramBytes(RollupValues rollup) {
    return rollup.codec() == null ? 0 : HISTOGRAM_BYTES + rollup.histogram().length;
  }

  private static int arrayBytes(int rollups, int stride) {
    return rollups * (stride * Long.BYTES + REFERENCE_BYTES);
  }

  /**
   * By how much {@link #heapBytes()} grows with a rollup.
   *
   * @param most number of rollups that are held back at most
   */
  int growth(RollupPoint point, int most) {
    return arrayGrowth(point, most) + histogramBytes(point.rollup());
  }

  private int arrayGrowth(RollupPoint point, int most) {
    return arrayBytes(capacity(most), stride(point)) - arrayBytes(kinds.length, stride);
  }

  private int capacity(int most) {
    return size < kinds.length ? kinds.length : Math.min(most, Math.max(INITIAL, 2 * size));
  }

  private int stride(RollupPoint point) {
    return Math.max(stride, FURTHER + point.rollup().names().size());
  }

  /**
   * Adds a rollup or a deletion.
   *
   * @param most as for {@link #growth}, above {@link #size}
   * @return the growth of {@link #heapBytes()}
   */
  int add(RollupPoint point, int most) {
    int growth = growth(point, most);
    if (arrayGrowth(point, most) > 0) {
      makeRoom(capacity(most), stride(point));
    }
    RollupValues rollup = point.rollup();
    histogramBytes += histogramBytes(rollup);
    kinds[size] = kind(point.interval(), rollup);
    int at = size++ * stride;
    fields[at + TIMESTAMP] = point.timestamp();
    fields[at + SUM] = Double.doubleToRawLongBits(rollup.sum());
    fields[at + MIN] = Double.doubleToRawLongBits(rollup.min());
    fields[at + MAX] = Double.doubleToRawLongBits(rollup.max());
    fields[at + COUNT] = rollup.count();
    for (int i = 0; i < rollup.names().size(); i++) {
      fields[at + FURTHER + i] = Double.doubleToRawLongBits(rollup.further(i));
    }
    return growth;
  }

  private void makeRoom(int capacity, int newStride) {
    long[] room = new long[capacity * newStride];
    for (int i = 0; i < size; i++) {
      System.arraycopy(fields, i * stride, room, i * newStride, stride);
    }
    fields = room;
    stride = newStride;
    kinds = Arrays.copyOf(kinds, capacity);
  }

  private Kind kind(String interval, RollupValues rollup) {
    for (int i = size - 1; i >= 0 && i >= size - RECENT && rollup.codec() == null; i--) {
      Kind kind = kinds[i];
      if (kind.codec() == null
          && kind.interval().equals(interval)
          && kind.names().equals(rollup.names())) {
        return kind;
      }
    }
    byte[] histogram = rollup.codec() == null ? NO_HISTOGRAM : rollup.histogram();
    return new Kind(interval, rollup.names(), rollup.codec(), histogram);
  }

  /** The rollups of each interval together, in their order. */
  int[] byInterval() {
    int[] order = new int[size];
    Set<String> intervals = new HashSet<>();
    int n = 0;
    for (int first = 0; n < size; first++) {
      String interval = kinds[first].interval();
      if (intervals.add(interval)) {
        for (int i = first; i < size; i++) {
          if (kinds[i].interval().equals(interval)) {
            order[n++] = i;
          }
        }
      }
    }
    return order;
  }

  /**
   * Adds a rollup to a message.
   *
   * @param values is overwritten
   */
  void addTo(SeriesMessage message, int rollup, RollupValues values) {
    int at = rollup * stride;
    Kind kind = kinds[rollup];
    values.set(value(at + SUM), value(at + MIN), value(at + MAX), fields[at + COUNT]);
    values.further(kind.names());
    for (int i = 0; i < kind.names().size(); i++) {
      values.further(i, value(at + FURTHER + i));
    }
    if (kind.codec() != null) {
      values.histogram(kind.codec(), kind.histogram());
    }
    message.add(fields[at + TIMESTAMP], kind.interval(), values);
  }

  private double value(int at) {
    return Double.longBitsToDouble(fields[at]);
  }

  /**
   * Removes all rollups.
   *
   * @return by how much heap becomes free: that of their histograms
   */
  int clear() {
    int free = histogramBytes;
    if (free > 0) {
      Arrays.fill(kinds, null);
    }
    histogramBytes = 0;
    size = 0;
    return free;
  }
}
