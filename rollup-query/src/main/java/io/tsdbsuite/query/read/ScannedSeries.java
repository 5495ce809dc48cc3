package io.tsdbsuite.query.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import net.opentsdb.core.HistogramPieces;
import net.opentsdb.core.RawSpan;
import net.opentsdb.meta.Annotation;
import org.jspecify.annotations.Nullable;

/** What one scan found of one series. Not thread-safe. */
final class ScannedSeries {
  /** Time and value, in an array that grows and in that of the answer. */
  private static final int BYTES_OF_VALUE = 2 * 16;

  private static final int BYTES_OF_COUNTED = 2 * 24;

  private final byte[] key;
  private final boolean counted;
  private final List<Annotation> annotations = new ArrayList<>(0);
  private boolean kept;

  long[] times = new long[16];
  double[] values = new double[16];
  long[] counts;
  int size;

  /** Instead of values: rows as OpenTSDB reads them. */
  @Nullable RawSpan span;

  /** Instead of values: histograms. */
  @Nullable HistogramPieces histograms;

  /** Heap of the span, of histograms and of annotations. */
  long otherBytes;

  /**
   * @param key of any row of the series
   * @param counted whether each value has a count
   */
  ScannedSeries(byte[] key, boolean counted) {
    this.key = key;
    this.counted = counted;
    this.counts = new long[counted ? 16 : 0];
  }

  byte[] key() {
    return key;
  }

  /** Whether the filters let the series pass. */
  boolean isKept() {
    return kept;
  }

  void keep() {
    kept = true;
  }

  List<Annotation> annotations() {
    return annotations;
  }

  /** Values, or points and cells of which the histograms are. */
  long values() {
    return histograms == null ? size : histograms.values();
  }

  /** The heap of what was read, about; here and in the answer. */
  long bytes() {
    return otherBytes + (long) size * (counted ? BYTES_OF_COUNTED : BYTES_OF_VALUE);
  }

  /**
   * Adds a value.
   *
   * @param time milliseconds, after that of the last value
   * @param count how many points it stands for
   */
  void add(long time, double value, long count) {
    if (size > 0 && time <= times[size - 1]) {
      throw new IllegalStateException("time " + time + " after " + times[size - 1]);
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
      if (counted) {
        counts = Arrays.copyOf(counts, 2 * size);
      }
    }
    times[size] = time;
    values[size] = value;
    if (counted) {
      counts[size] = count;
    }
    size++;
  }

  /**
   * The parts of one series from several scans as one, in the order of time, with arrays of its
   * size. No time is in two parts.
   */
  static ScannedSeries merge(List<ScannedSeries> parts) {
    int size = 0;
    for (ScannedSeries part : parts) {
      size += part.size;
    }
    ScannedSeries merged = new ScannedSeries(parts.get(0).key, parts.get(0).counted);
    merged.times = new long[size];
    merged.values = new double[size];
    merged.counts = new long[merged.counted ? size : 0];
    PriorityQueue<Cursor> next = new PriorityQueue<>();
    for (ScannedSeries part : parts) {
      merged.annotations.addAll(part.annotations);
      if (part.size > 0) {
        next.add(new Cursor(part));
      }
    }
    while (!next.isEmpty()) {
      Cursor first = next.poll();
      Cursor second = next.peek();
      first.copyUntil(second == null ? Long.MAX_VALUE : second.time(), merged);
      if (first.at < first.part.size) {
        next.add(first);
      }
    }
    return merged;
  }

  /** A part, of which some values are merged. */
  private static final class Cursor implements Comparable<Cursor> {
    private final ScannedSeries part;
    private int at;

    Cursor(ScannedSeries part) {
      this.part = part;
    }

    long time() {
      return part.times[at];
    }

    /** Copies the values before a time. */
    void copyUntil(long time, ScannedSeries to) {
      int found = Arrays.binarySearch(part.times, at, part.size, time);
      int end = found >= 0 ? found : -found - 1;
      if (end == at) {
        throw new IllegalStateException("time " + time + " is read from two tables");
      }
      int number = end - at;
      System.arraycopy(part.times, at, to.times, to.size, number);
      System.arraycopy(part.values, at, to.values, to.size, number);
      if (to.counted) {
        System.arraycopy(part.counts, at, to.counts, to.size, number);
      }
      to.size += number;
      at = end;
    }

    @Override
    public int compareTo(Cursor other) {
      return Long.compare(time(), other.time());
    }
  }
}
