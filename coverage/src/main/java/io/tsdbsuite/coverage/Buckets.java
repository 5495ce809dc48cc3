package io.tsdbsuite.coverage;

import java.util.Arrays;

/**
 * The output buckets of a downsampler: each point of the answer is computed from the points of one
 * bucket {@code [start, end)}, in milliseconds since the epoch. Immutable.
 */
public final class Buckets {
  // Width of equal buckets, whose edges are its multiples; 0 if the edges are listed.
  private final long width;
  private final long[] edges;

  private Buckets(long width, long[] edges) {
    this.width = width;
    this.edges = edges;
  }

  /**
   * Buckets of one width, without beginning or end, whose edges are the multiples of the width.
   *
   * @throws IllegalArgumentException if the width is not positive
   */
  public static Buckets every(long width) {
    if (width <= 0) {
      throw new IllegalArgumentException("width " + width + " is not positive");
    }
    return new Buckets(width, new long[0]);
  }

  /**
   * Buckets between edges: of a calendar, or {@code start, end} for one bucket. Times before the
   * first edge and from the last edge on have no bucket.
   *
   * @throws IllegalArgumentException if there are fewer than two edges, or they do not ascend
   */
  public static Buckets between(long... edges) {
    if (edges.length < 2) {
      throw new IllegalArgumentException(edges.length + " edges make no bucket");
    }
    for (int i = 1; i < edges.length; i++) {
      if (edges[i] <= edges[i - 1]) {
        throw new IllegalArgumentException("edge " + edges[i] + " after " + edges[i - 1]);
      }
    }
    return new Buckets(0, edges.clone());
  }

  /**
   * The longest ranges inside a range that consist of whole intervals {@code [n * interval, (n + 1)
   * * interval)} of which none crosses the edge of a bucket. So each such interval is of one
   * bucket.
   *
   * @param interval width of a rollup, milliseconds
   */
  TimeRanges wholeIntervals(long from, long to, long interval) {
    if (width > 0) {
      if (width % interval == 0) {
        return TimeRanges.of(roundUp(from, interval), Math.floorDiv(to, interval) * interval);
      }
      if (width < interval) {
        return TimeRanges.none();
      }
    }
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    long time = width > 0 ? from : Math.max(from, edges[0]);
    long end = width > 0 ? to : Math.min(to, edges[edges.length - 1]);
    while (time < end) {
      long bucketEnd = end(time);
      long last = Math.min(bucketEnd, end);
      ranges.add(roundUp(time, interval), Math.floorDiv(last, interval) * interval);
      time = bucketEnd;
    }
    return ranges.build();
  }

  /**
   * The times of buckets that are whole intervals {@code [n * interval, (n + 1) * interval)}.
   *
   * @param within the times that are asked for
   * @param interval width of a rollup, milliseconds
   */
  public TimeRanges coinciding(TimeRanges within, long interval) {
    if (width > 0) {
      return width == interval ? within : TimeRanges.none();
    }
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    for (int i = 1; i < edges.length; i++) {
      if (edges[i] - edges[i - 1] == interval && Math.floorMod(edges[i], interval) == 0) {
        ranges.add(edges[i - 1], edges[i]);
      }
    }
    return within.intersect(ranges.build());
  }

  /**
   * The end of the bucket of a time, milliseconds, exclusive.
   *
   * @throws IndexOutOfBoundsException if the time has no bucket
   */
  public long end(long time) {
    if (width > 0) {
      return (Math.floorDiv(time, width) + 1) * width;
    }
    int i = Arrays.binarySearch(edges, time);
    return edges[i >= 0 ? i + 1 : -i - 1];
  }

  private static long roundUp(long time, long interval) {
    return -Math.floorDiv(-time, interval) * interval;
  }
}
