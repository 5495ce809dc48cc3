package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.metric.MetricPatterns;
import java.util.List;
import java.util.Set;

/**
 * Which windows and masks a command is about.
 *
 * @param intervals of windows: each with its levels, or a level alone; empty for all
 * @param from seconds since the epoch, inclusive; windows and masks count that have a time of the
 *     range
 * @param to seconds since the epoch, exclusive
 * @param metrics names; windows count that select one of them. Empty for all
 * @param writers parts of the row keys; empty for all
 */
public record CoverageBounds(
    Set<String> intervals, long from, long to, List<String> metrics, Set<String> writers) {
  /** {@link #from} without a bound. */
  public static final long BEGINNING = 0;

  /** {@link #to} without a bound. */
  public static final long END = Long.MAX_VALUE;

  /** Whether there are none. */
  public boolean isAll() {
    return intervals.isEmpty()
        && from == BEGINNING
        && to == END
        && metrics.isEmpty()
        && writers.isEmpty();
  }

  /** Whether a window is within. */
  public boolean wants(CoverageWindow window) {
    MetricPatterns selection = selection(window);
    return wants(window.interval())
        && (writers.isEmpty() || writers.contains(window.writer()))
        && window.from() < to
        && window.to() > from
        && (metrics.isEmpty() || metrics.stream().anyMatch(selection::wants));
  }

  /** Whether windows of a level are within. */
  boolean wants(String level) {
    return intervals.isEmpty()
        || intervals.contains(level)
        || intervals.contains(CoverageRows.interval(level));
  }

  /** Which times of a window are within, milliseconds since the epoch; none if it is not. */
  TimeRanges times(CoverageWindow window) {
    return wants(window)
        ? TimeRanges.of(Math.max(window.from(), from) * 1000, Math.min(window.to(), to) * 1000)
        : TimeRanges.none();
  }

  /** Whether a mask is within; masks are of all intervals. */
  public boolean wants(CoverageMask mask) {
    return mask.from() < to
        && mask.to() > from
        && (metrics.isEmpty()
            || metrics.contains(mask.metric())
            || mask.metric().equals(CoverageMask.ALL_METRICS));
  }

  /** Whether a mask lies wholly within, and is of one of the metrics itself: for its removal. */
  boolean holds(CoverageMask mask) {
    return mask.from() >= from
        && mask.to() <= to
        && (metrics.isEmpty() || metrics.contains(mask.metric()));
  }

  static MetricPatterns selection(CoverageWindow window) {
    return MetricPatterns.of(List.of(window.metrics().split(",", -1)));
  }
}
