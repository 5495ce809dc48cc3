package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.day.DayHistograms.Histogram;
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

  private final BucketHistogram histogram;

  /** Points of the row without NaN. */
  private double[] numbers = {};

  /**
   * @param seconds width of the interval; divides the hour
   * @param codecs of histogram cells
   */
  HourRollups(String interval, long seconds, HistogramCodecs codecs) {
    this.interval = interval;
    this.seconds = Math.toIntExact(seconds);
    this.further = new FurtherValues(interval);
    this.histogram = new BucketHistogram(codecs);
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
      if (last < 0 || points.offsetMillis(last) < end) {
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
   * Computes the further aggregators and histograms of the row that {@link #summarise} has summed
   * up.
   *
   * @param cells its histogram cells
   * @param selection of the row's metric
   * @return whether all aggregators are finite
   * @throws HistogramException when its histogram cells cannot be summed up
   */
  boolean further(PointBuffer points, RowHistograms cells, Selection selection)
      throws HistogramException {
    further.select(selection);
    if (further.isEmpty() && !further.hasHistograms()) {
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
    int cell = 0;
    for (int i = 0; i < summaries.length; i++) {
      int to = from + (int) summaries[i].count();
      if (to > from && !further.isEmpty()) {
        finite &= further.compute(i, numbers, from, to);
      }
      if (further.hasHistograms()) {
        histogram.clear();
        histogram.addPoints(numbers, from, to);
        long end = (i + 1L) * seconds * MILLIS;
        while (cell < cells.size() && cells.offsetMillis(cell) < end) {
          histogram.addCell(cells, cell++);
        }
        further.histogram(i, Histogram.of(histogram));
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
   * @param takeBack whether to take back the rollups of intervals without anything
   * @param books receive the further aggregators and histograms
   * @return the number of rollups; the other intervals, up to {@link #perRow}, were taken back if
   *     {@code takeBack} is set
   */
  int emit(long base, RollupPoint point, boolean takeBack, RollupSink sink, Books books)
      throws SinkException {
    int emitted = 0;
    for (int i = 0; i < summaries.length; i++) {
      PointSummary summary = summaries[i];
      point.takeBack(base + (long) i * seconds, interval);
      if (summary.count() > 0) {
        point.rollup().set(summary.sum(), summary.min(), summary.max(), summary.count());
      }
      further.put(i, point.rollup());
      if (!point.rollup().isDeletion()) {
        sink.emit(point);
        emitted++;
      } else if (takeBack) {
        sink.emit(point);
      }
    }
    further.count(books, emitted);
    return emitted;
  }
}
