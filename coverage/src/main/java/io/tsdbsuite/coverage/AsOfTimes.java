package io.tsdbsuite.coverage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * As of when the rollups of one interval are proven: a step function of time, made of windows.
 * Immutable.
 *
 * <pre>
 *   windows      |------ as of 3 ------|      |-- as of 8 --|
 *                            |---- as of 5 ---|
 *   result       |  3        |   5            |      8      |
 * </pre>
 *
 * Windows count only for the buckets of the interval that are wholly inside. Times are milliseconds
 * since the epoch.
 */
final class AsOfTimes {
  /** For a time that no window proves. */
  static final long NEVER = Long.MIN_VALUE;

  // asOf[i] is the value from bounds[i] to bounds[i + 1]; there is one bound more than values.
  // full[i] is when all rows were rolled up.
  private final long width;
  private final long[] bounds;
  private final long[] asOf;
  private final long[] full;

  private AsOfTimes(long width, long[] bounds, long[] asOf, long[] full) {
    this.width = width;
    this.bounds = bounds;
    this.asOf = asOf;
    this.full = full;
  }

  /**
   * The function for the windows that select a metric.
   *
   * @param width of the interval, milliseconds
   */
  static AsOfTimes of(List<CoverageWindow> windows, long width) {
    List<Span> spans = new ArrayList<>();
    for (CoverageWindow window : windows) {
      Span span = new Span(window, width);
      if (span.from < span.to) {
        spans.add(span);
      }
    }
    long[] bounds = bounds(spans);
    return new AsOfTimes(
        width,
        bounds,
        newest(spans, bounds, span -> span.asOf),
        newest(spans, bounds, span -> span.full));
  }

  /** The whole buckets of a window. */
  private static final class Span {
    private final long from;
    private final long to;
    private final long asOf;
    private final long full;

    Span(CoverageWindow window, long width) {
      from = -Math.floorDiv(-window.from() * 1000, width) * width;
      to = Math.floorDiv(window.to() * 1000, width) * width;
      asOf = window.asOf();
      full = window.fullAsOf();
    }
  }

  private static long[] bounds(List<Span> spans) {
    return spans.stream()
        .flatMapToLong(span -> LongStream.of(span.from, span.to))
        .sorted()
        .distinct()
        .toArray();
  }

  /** The newest proof between each two bounds. */
  private static long[] newest(List<Span> proofs, long[] bounds, ToLongFunction<Span> read) {
    List<Span> byEnd = new ArrayList<>(proofs);
    proofs.sort(Comparator.comparingLong(span -> span.from));
    byEnd.sort(Comparator.comparingLong(span -> span.to));
    long[] newest = new long[Math.max(0, bounds.length - 1)];
    // How many open windows there are of each time.
    TreeMap<Long, Integer> open = new TreeMap<>();
    int begun = 0;
    int ended = 0;
    for (int i = 0; i < newest.length; i++) {
      while (begun < proofs.size() && proofs.get(begun).from == bounds[i]) {
        open.merge(read.applyAsLong(proofs.get(begun++)), 1, Integer::sum);
      }
      while (ended < byEnd.size() && byEnd.get(ended).to == bounds[i]) {
        open.compute(
            read.applyAsLong(byEnd.get(ended++)), (asOf, n) -> n == null || n == 1 ? null : n - 1);
      }
      newest[i] = open.isEmpty() ? NEVER : open.lastKey();
    }
    return newest;
  }

  /**
   * The proven times: of buckets that were read {@link Coverage#SETTLED} after the end of the last
   * hour that they have a part of. A bucket of 10 minutes may end before the points of its hour are
   * late.
   */
  TimeRanges proven() {
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    for (int i = 0; i < asOf.length; i++) {
      if (asOf[i] != NEVER) {
        ranges.add(bounds[i], Math.min(bounds[i + 1], Coverage.settled(asOf[i], width)));
      }
    }
    return ranges.build();
  }

  /**
   * The times that a mask voids: of the buckets that have a time of it, those that were read too
   * early to show what it stands for. What is lost is not found by refreshes, which roll up changed
   * rows alone.
   */
  TimeRanges masked(CoverageMask mask) {
    long from = Math.floorDiv(mask.from() * 1000, width) * width;
    long to = -Math.floorDiv(-mask.to() * 1000, width) * width;
    long[] read = mask.kind() == CoverageMask.Kind.LOST ? full : asOf;
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    int at = Arrays.binarySearch(bounds, from);
    for (int i = Math.max(0, at >= 0 ? at : -at - 2); i < read.length && bounds[i] < to; i++) {
      // Also without a value: it is not proven then.
      if (read[i] <= mask.shownAfter()) {
        ranges.add(Math.max(from, bounds[i]), Math.min(to, bounds[i + 1]));
      }
    }
    return ranges.build();
  }

  /** Whether a mask voids none of the times that have a value. */
  boolean isVoid(CoverageMask mask) {
    TimeRanges masked = masked(mask);
    int i = 0;
    for (int range = 0; range < masked.size(); range++) {
      while (i < asOf.length && bounds[i + 1] <= masked.from(range)) {
        i++;
      }
      for (; i < asOf.length && bounds[i] < masked.to(range); i++) {
        if (asOf[i] != NEVER) {
          return false;
        }
      }
    }
    return true;
  }

  /** The oldest value in {@code [from, to)}; {@link #NEVER} if not all of it is proven. */
  long oldest(long from, long to) {
    if (bounds.length == 0 || from < bounds[0] || to > bounds[bounds.length - 1]) {
      return NEVER;
    }
    int at = Arrays.binarySearch(bounds, from);
    long oldest = Long.MAX_VALUE;
    for (int i = at >= 0 ? at : -at - 2; i < asOf.length && bounds[i] < to; i++) {
      oldest = Math.min(oldest, asOf[i]);
    }
    return oldest;
  }
}
