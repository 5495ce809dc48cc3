package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;

/**
 * The rollups of one interval within the hour of a row. Each is summed up from the raw points, left
 * to right as in the TSD, and never from narrower rollups, because sums of doubles depend on their
 * order. Reused for every row; for one thread.
 */
final class HourRollups {
  /** The sum of some interval is not finite. */
  static final int NOT_FINITE = -1;

  private static final int MILLIS = 1000;

  private final String interval;
  private final int seconds;
  private final PointSummary[] summaries;
  private final FurtherValues further;

  /** Points of the row without NaN. */
  private double[] numbers = {};

  /**
   * @param seconds width of the interval; divides the hour
   */
  HourRollups(String interval, long seconds) {
    this.interval = interval;
    this.seconds = Math.toIntExact(seconds);
    this.further = new FurtherValues(interval);
    this.summaries = new PointSummary[RowKey.ROW_SPAN_SECONDS / this.seconds];
    for (int i = 0; i < summaries.length; i++) {
      summaries[i] = new PointSummary();
    }
  }

  /** Number of intervals in an hour. */
  int perRow() {
    return summaries.length;
  }

  /** The interval as rollup_config.json writes it. */
  String interval() {
    return interval;
  }

  /**
   * Sums up a row.
   *
   * @param points at least one
   * @return the number of points summed up, or {@link #NOT_FINITE}
   */
  int summarise(PointBuffer points) {
    long counted = 0;
    double[] values = points.doubles();
    int last = points.size() - 1;
    int from = 0;
    for (int i = 0; i < summaries.length; i++) {
      long end = (i + 1L) * seconds * MILLIS;
      int to = from;
      if (points.offsetMillis(last) < end) {
        to = last + 1;
      } else {
        while (points.offsetMillis(to) < end) {
          to++;
        }
      }
      PointSummary summary = summaries[i];
      summary.clear();
      summary.addAll(values, from, to);
      if (summary.count() > 0 && !summary.isFinite()) {
        return NOT_FINITE;
      }
      counted += summary.count();
      from = to;
    }
    return (int) counted;
  }

  /**
   * Computes the further aggregators of the row that {@link #summarise} has summed up.
   *
   * @param selection of the row's metric
   * @return whether all are finite
   */
  boolean further(PointBuffer points, Selection selection) {
    further.select(selection);
    if (further.isEmpty()) {
      return true;
    }
    if (numbers.length < points.size()) {
      numbers = new double[2 * points.size()];
    }
    double[] values = points.doubles();
    int size = 0;
    for (int i = 0; i < points.size(); i++) {
      if (!Double.isNaN(values[i])) {
        numbers[size++] = values[i];
      }
    }
    boolean finite = true;
    int from = 0;
    for (int i = 0; i < summaries.length; i++) {
      int to = from + (int) summaries[i].count();
      if (to > from) {
        finite &= further.compute(i, numbers, from, to);
      }
      from = to;
    }
    return finite;
  }

  /**
   * Emits the results of {@link #summarise} and {@link #further}.
   *
   * @param base start of the row, seconds since the epoch
   * @param point the series; receives time and values
   * @param takeBack whether to take back the rollups of intervals without points
   * @param books receive the further aggregators
   * @return the number of rollups; the other intervals, up to {@link #perRow}, were taken back if
   *     {@code takeBack} is set
   */
  int emit(long base, RollupPoint point, boolean takeBack, RollupSink sink, Books books)
      throws SinkException {
    int emitted = 0;
    for (int i = 0; i < summaries.length; i++) {
      PointSummary summary = summaries[i];
      if (summary.count() > 0) {
        point.set(
            base + (long) i * seconds,
            interval,
            summary.sum(),
            summary.min(),
            summary.max(),
            summary.count());
        further.put(i, point.rollup());
        sink.emit(point);
        emitted++;
      } else if (takeBack) {
        point.takeBack(base + (long) i * seconds, interval);
        sink.emit(point);
      }
    }
    further.count(books, emitted);
    return emitted;
  }
}
