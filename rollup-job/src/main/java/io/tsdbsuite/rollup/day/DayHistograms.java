package io.tsdbsuite.rollup.day;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The histogram of each bucket of a day for each series of a {@link DayTable}, as bytes: the sum of
 * those of its hours so far. Their memory counts as that of the table. For one thread.
 */
public final class DayHistograms {
  private static final int REFERENCE = 8;

  /** Heap of a {@link Histogram} and of the header of its bytes. */
  private static final int OBJECTS = 48;

  /**
   * The histogram of a bucket.
   *
   * @param codec its class
   * @param payload its bytes without codec id; null if it is too wide
   * @param ofCells whether it is the sum of histogram cells; else the sketch of points
   * @param problem why there is no sum; null if there is one
   */
  public record Histogram(
      String codec, byte @Nullable [] payload, boolean ofCells, @Nullable String problem) {
    /** The histogram of a bucket; null if the bucket is empty. */
    public static @Nullable Histogram of(BucketHistogram bucket) {
      return bucket.isEmpty()
          ? null
          : new Histogram(bucket.codec(), bucket.bytes(), bucket.hasCells(), null);
    }

    private int heapBytes() {
      return OBJECTS
          + (payload == null ? 0 : payload.length)
          + (problem == null ? 0 : OBJECTS + 2 * problem.length());
    }
  }

  private final DayTable table;
  private final int buckets;
  private final BucketHistogram merged;
  private @Nullable Histogram[] sums = {};

  /**
   * @param table of the series
   * @param buckets of a day
   */
  public DayHistograms(DayTable table, int buckets, HistogramCodecs codecs) {
    this.table = table;
    this.buckets = buckets;
    this.merged = new BucketHistogram(codecs);
  }

  /** Removes all histograms; call with {@link DayTable#clear}. */
  public void clear() {
    sums = new Histogram[0];
  }

  /**
   * Adds the histogram of an hour to the histogram of a bucket. A bucket with points and histogram
   * cells has the sum of the cells alone. A histogram that is too wide stays too wide.
   *
   * @param series of the table
   * @return whether there was memory for it
   */
  public boolean add(int series, int bucket, Histogram hour) {
    long at = (long) series * buckets + bucket;
    if (at >= sums.length && !moreSeries(series)) {
      return false;
    }
    Histogram before = sums[(int) at];
    Histogram after = before == null ? hour : sum(before, hour);
    if (!table.reserve(after.heapBytes() - (before == null ? 0 : before.heapBytes()))) {
      return false;
    }
    sums[(int) at] = after;
    return true;
  }

  private Histogram sum(Histogram before, Histogram hour) {
    if (before.ofCells() != hour.ofCells()) {
      return before.ofCells() ? before : hour;
    }
    byte[] one = before.payload();
    byte[] other = hour.payload();
    if (one == null || other == null) {
      return new Histogram(before.codec(), null, before.ofCells(), before.problem());
    }
    merged.clear();
    try {
      merged.addCell(before.codec(), one, 0, one.length);
      merged.addCell(hour.codec(), other, 0, other.length);
    } catch (HistogramException e) {
      return new Histogram(before.codec(), null, before.ofCells(), String.valueOf(e.getMessage()));
    }
    return new Histogram(before.codec(), merged.bytes(), before.ofCells(), null);
  }

  private boolean moreSeries(int series) {
    long wanted = (series + 16L + (series >> 1)) * buckets;
    // Both arrays are there until all is copied.
    if (wanted > Integer.MAX_VALUE - 8 || !table.reserve(wanted * REFERENCE)) {
      return false;
    }
    table.release((long) sums.length * REFERENCE);
    sums = Arrays.copyOf(sums, (int) wanted);
    return true;
  }

  /** The histogram of a bucket; null if none was added. */
  public @Nullable Histogram get(int series, int bucket) {
    long at = (long) series * buckets + bucket;
    return at < sums.length ? sums[(int) at] : null;
  }

  /** Why the histograms of a series cannot be summed up; null if they can. */
  public @Nullable String problem(int series) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      Histogram of = get(series, bucket);
      if (of != null && of.problem() != null) {
        return of.problem();
      }
    }
    return null;
  }
}
