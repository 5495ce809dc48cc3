package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.day.DayHistograms;
import io.tsdbsuite.rollup.day.DayHistograms.Histogram;
import io.tsdbsuite.rollup.day.DayTable;
import io.tsdbsuite.rollup.day.DayValues;
import io.tsdbsuite.rollup.day.LostRows;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rolls up days: all intervals above an hour. Each bucket of each interval is summed up from its
 * rows, left to right as in the TSD, and never from narrower rollups, because sums of doubles
 * depend on their order. For one thread.
 *
 * <pre>
 *   rows, in key order     m1 00:00: a b c | m1 01:00: a b | ... | m1 23:00: a c | m2 00:00: ...
 *                                                                                ^ emits m1
 *
 *   table of 6h and 1d     a | 00-06 | 06-12 | 12-18 | 18-24 | day |      sum min max count each
 *                          b | ...
 * </pre>
 *
 * <ol>
 *   <li>{@link #enter} starts a row. Rows arrive by salt bucket (if buckets are not merged), metric
 *       and hour, so one day of one metric is in progress; a row of another one emits the day
 *       before it.
 *   <li>{@link #add} adds the points of the row to the bucket of each interval that has its hour.
 *   <li>{@link #fail} marks the series of a row that failed; {@link #lose} notes rows that a
 *       corrupt block may hide.
 *   <li>{@link #finish} emits the series in the order of their tags, some at a time. A series fails
 *       with all of its buckets if one of its rows failed, could be among the lost ones in one of
 *       the 24 hours, or has an infinite sum: an incomplete day must not look complete.
 * </ol>
 */
final class DayRoller {
  private static final long DAY_SECONDS = 86400;
  private static final int HOUR_SECONDS = RowKey.ROW_SPAN_SECONDS;
  private static final int DAY_HOURS = (int) DAY_SECONDS / HOUR_SECONDS;
  private static final long MEBIBYTE = 1L << 20;

  /** Number of rollups emitted in one call, or those of one series if it has more. */
  private static final int BATCH = 256;

  private final List<RollupInterval> intervals;

  /** Hours of a bucket, by interval. */
  private final int[] hours;

  /** Number of the first bucket in the table, by interval; behind the last one that of all. */
  private final int[] firsts;

  private final RowKey rowKey;
  private final @Nullable SeriesNames names;
  private final MetricSelector metrics;
  private final long maxBytes;
  private final DayTable table;

  /** Points of the series of a metric with further aggregators. */
  private final DayValues values;

  /** Histograms of the series of a metric whose rollups have them. */
  private final DayHistograms histograms;

  /** The histogram of a row. */
  private final BucketHistogram hour;

  /** By interval. */
  private final FurtherValues[] further;

  /** Whether the metric of the day has further aggregators. */
  private boolean selected;

  /** Whether rollups of the metric of the day have histograms. */
  private boolean hasHistograms;

  private boolean takesBack;

  /** Points of a row without NaN. */
  private double[] numbers = {};

  private final LostRows lost = new LostRows();
  private final PointSummary summary = new PointSummary();
  private final RollupPoint point = new RollupPoint();

  /** Salt and metric of the day. */
  private final byte[] prefix;

  /** First second of the day; before the first row, a value that no row has. */
  private long day = Long.MIN_VALUE;

  /** Series of the day in emission order; null while its rows arrive. */
  private int @Nullable [] order;

  private int emitted;

  /**
   * @param all at least one of the day
   * @param names resolves the series; null when rollups do not need names
   * @param metrics selects further aggregators
   * @param maxBytes memory limit for the sums of the series of one metric, and for the points that
   *     further aggregators need
   */
  DayRoller(
      RollupIntervals all,
      RowKey rowKey,
      @Nullable SeriesNames names,
      MetricSelector metrics,
      long maxBytes) {
    this.intervals = all.ofDay();
    this.hours = new int[intervals.size()];
    this.firsts = new int[intervals.size() + 1];
    this.further = new FurtherValues[intervals.size()];
    for (int i = 0; i < hours.length; i++) {
      hours[i] = (int) intervals.get(i).seconds() / HOUR_SECONDS;
      firsts[i + 1] = firsts[i] + DAY_HOURS / hours[i];
      further[i] = new FurtherValues(intervals.get(i).interval());
    }
    this.rowKey = rowKey;
    this.names = names;
    this.metrics = metrics;
    this.maxBytes = maxBytes;
    this.table = new DayTable(firsts[hours.length], maxBytes);
    this.values = new DayValues(table);
    this.histograms = new DayHistograms(table, firsts[hours.length], all.codecs());
    this.hour = new BucketHistogram(all.codecs());
    this.prefix = new byte[rowKey.timeOffset()];
  }

  /** From now on the rollups of buckets without anything are taken back, as by an hour's row. */
  void takeBack() {
    takesBack = true;
  }

  /**
   * Starts a row, valid or not. If it belongs to another day, the previous day is emitted first.
   *
   * @param key array with the row key, which has a base time
   * @return false when more of the previous day must be emitted: call again
   */
  boolean enter(byte[] key, int off, RollupSink sink, Books books) throws SinkException {
    long time = rowKey.baseTime(key, off);
    if (time >= day
        && time < day + DAY_SECONDS
        && Arrays.equals(prefix, 0, prefix.length, key, off, off + prefix.length)) {
      return true;
    }
    if (!finish(sink, books)) {
      return false;
    }
    day = time - time % DAY_SECONDS;
    System.arraycopy(key, off, prefix, 0, prefix.length);
    select(metrics.selection(rowKey.metricUid(key, off)));
    if (!lost.isEmpty()) {
      lost.forgetBefore(row(0));
    }
    return true;
  }

  private void select(Selection selection) {
    selected = false;
    hasHistograms = false;
    for (FurtherValues each : further) {
      each.select(selection);
      selected |= !each.isEmpty();
      hasHistograms |= each.hasHistograms();
    }
  }

  /**
   * Sums up the histogram of the current row, which {@link #add} adds next, unless the row fails.
   *
   * @param cells its histogram cells
   * @throws HistogramException when they cannot be summed up
   */
  void sumUp(PointBuffer points, RowHistograms cells) throws HistogramException {
    if (hasHistograms) {
      hour.clear();
      hour.addPoints(points.doubles(), 0, points.size());
      for (int i = 0; i < cells.size(); i++) {
        hour.addCell(cells, i);
      }
    }
  }

  /**
   * Adds the points of the current row, which is valid, after the points of earlier hours, and its
   * histogram.
   */
  void add(byte[] key, int off, int len, PointBuffer points, Books books) {
    int series = find(key, off, len, books);
    int at = (int) (rowKey.baseTime(key, off) - day) / HOUR_SECONDS;
    double[] doubles = points.doubles();
    for (int i = 0; i < hours.length; i++) {
      int bucket = firsts[i] + at / hours[i];
      table.load(series, bucket, summary);
      summary.addAll(doubles, 0, points.size());
      table.save(series, bucket, summary);
    }
    if (selected) {
      keep(series, at, doubles, points.size());
    }
    Histogram histogram = hasHistograms ? Histogram.of(hour) : null;
    for (int i = 0; i < hours.length && histogram != null; i++) {
      if (further[i].hasHistograms()
          && !histograms.add(series, firsts[i] + at / hours[i], histogram)) {
        throw full(table.size());
      }
    }
  }

  /** Keeps the points of an hour for further aggregators. */
  private void keep(int series, int at, double[] doubles, int points) {
    if (numbers.length < points) {
      numbers = new double[2 * points];
    }
    int size = 0;
    for (int i = 0; i < points; i++) {
      if (!Double.isNaN(doubles[i])) {
        numbers[size++] = doubles[i];
      }
    }
    if (size > 0 && !values.add(series, at, numbers, size)) {
      throw full(table.size());
    }
  }

  /** Records that the current row failed. */
  void fail(byte[] key, int off, int len, Books books) {
    table.fail(find(key, off, len, books));
  }

  /**
   * Records a range of unreadable rows.
   *
   * @param from first unreadable row, inclusive
   * @param to first readable row after the range; empty for the end of the table
   */
  void lose(byte[] from, byte[] to) {
    lost.add(from, to);
  }

  private int find(byte[] key, int off, int len, Books books) {
    int before = table.size();
    int tags = rowKey.tagsOffset();
    int series = table.find(key, off + tags, len - tags);
    if (series == DayTable.FULL) {
      throw full(before);
    }
    if (table.size() > before) {
      books.dayRead();
    }
    return series;
  }

  private JobException full(int series) {
    String metric =
        "metric UID " + HexFormat.of().formatHex(prefix, rowKey.metricOffset(), prefix.length);
    String bucket = rowKey.metricOffset() == 0 ? "" : " in one salt bucket";
    long limit = maxBytes / MEBIBYTE;
    if (!selected && !hasHistograms) {
      return JobException.usage(
          metric
              + " has more than "
              + series
              + " series"
              + bucket
              + " on "
              + date()
              + ": their sums for "
              + RollupIntervals.text(intervals)
              + " need more than the "
              + limit
              + " MiB that a task may take for them; give executors more memory or fewer cores, or"
              + " leave "
              + RollupIntervals.text(intervals)
              + " out");
    }
    StringBuilder entry = new StringBuilder();
    for (int i = 0; i < further.length; i++) {
      // Points need more than histograms.
      if (selected ? !further[i].isEmpty() : further[i].hasHistograms()) {
        entry.append(entry.isEmpty() ? "" : ", ");
        entry.append(selected ? String.join(",", further[i].names()) : "histograms").append(" of ");
        entry.append(intervals.get(i).interval());
      }
    }
    return JobException.usage(
        ("%s (%s) has at least %s series%s on %s: suite.%s of rollup_config.json gives it %s,"
                + " for which %s are kept, and these need more than the %s MiB"
                + " that a task may take for them; give executors more memory or fewer cores, or"
                + " take the metric or the interval out of that entry")
            .formatted(
                metric,
                metrics.name(rowKey.metricUid(prefix, 0)),
                series,
                bucket,
                date(),
                selected ? "values" : "histograms",
                entry,
                selected ? "all points of the day" : "the histograms of the day",
                limit));
  }

  /**
   * Emits some series of the last day.
   *
   * @return whether all series are emitted
   */
  boolean finish(RollupSink sink, Books books) throws SinkException {
    if (table.size() == 0) {
      return true;
    }
    int[] inOrder = order;
    if (inOrder == null) {
      inOrder = table.inOrder();
      order = inOrder;
      emitted = 0;
    }
    int end = Math.min(inOrder.length, emitted + Math.max(1, BATCH / firsts[hours.length]));
    while (emitted < end) {
      finish(inOrder[emitted++], sink, books);
    }
    if (emitted < inOrder.length) {
      return false;
    }
    table.clear();
    values.clear();
    histograms.clear();
    order = null;
    return true;
  }

  private void finish(int series, RollupSink sink, Books books) throws SinkException {
    int tags = table.keyLength(series);
    byte[] row = row(tags);
    System.arraycopy(table.keys(), table.keyOffset(series), row, rowKey.tagsOffset(), tags);
    if (table.isFailed(series) || couldHaveLost(row)) {
      books.dayFailed(
          FailReason.INCOMPLETE_DAY,
          () -> name(row) + ": one of its rows failed or could not be read");
    } else {
      emit(series, row, sink, books);
    }
  }

  private void emit(int series, byte[] row, RollupSink sink, Books books) throws SinkException {
    if (!isFinite(series)) {
      books.dayFailed(
          FailReason.FAILED_DAY, () -> name(row) + ": a sum is infinite, which no TSD stores");
      return;
    }
    if (selected && !further(series)) {
      books.dayFailed(
          FailReason.FAILED_DAY,
          () -> name(row) + ": a percentile is infinite, which no TSD stores");
      return;
    }
    String histogramProblem = histograms.problem(series);
    if (histogramProblem != null) {
      books.dayFailed(FailReason.FAILED_DAY, () -> name(row) + ": " + histogramProblem);
      return;
    }
    String unresolved = names == null ? null : names.resolve(row, 0, row.length, point);
    if (unresolved != null) {
      // Its rows had names, so a name was deleted in the meantime.
      books.dayFailed(FailReason.FAILED_DAY, () -> name(row) + ": " + unresolved);
      return;
    }
    point.row(row, 0, row.length, rowKey.timeOffset());
    long oddBefore = RowRoller.oddHistograms(books);
    for (int i = 0; i < hours.length; i++) {
      String interval = intervals.get(i).interval();
      int rollups = 0;
      for (int bucket = firsts[i]; bucket < firsts[i + 1]; bucket++) {
        table.load(series, bucket, summary);
        point.takeBack(day + (long) (bucket - firsts[i]) * hours[i] * HOUR_SECONDS, interval);
        if (summary.count() > 0) {
          point.rollup().set(summary.sum(), summary.min(), summary.max(), summary.count());
        }
        if (further[i].hasHistograms()) {
          further[i].histogram(bucket - firsts[i], histograms.get(series, bucket));
        }
        further[i].put(bucket - firsts[i], point.rollup());
        if (!point.rollup().isDeletion()) {
          sink.emit(point);
          rollups++;
        } else if (takesBack && histograms.get(series, bucket) != null) {
          // Its rows have nothing but histograms that are too wide together.
          sink.emit(point);
          books.rollupsTakenBack(1);
        }
      }
      books.rollups(interval, rollups);
      further[i].count(books, rollups);
    }
    if (RowRoller.oddHistograms(books) > oddBefore) {
      books.oddHistogram(new RunProof.OddMetric(rowKey.metricUid(row, 0), day, day + DAY_SECONDS));
    }
    books.dayEmitted();
  }

  /** Computes the further aggregators of all buckets; returns whether all are finite. */
  private boolean further(int series) {
    boolean finite = true;
    for (int i = 0; i < hours.length; i++) {
      for (int hour = 0; hour < DAY_HOURS && !further[i].isEmpty(); hour += hours[i]) {
        int size = values.length(series, hour, hour + hours[i]);
        if (size > 0) {
          double[] bucket = values.copy(series, hour, hour + hours[i]);
          if (bucket == null) {
            throw full(table.size());
          }
          finite &= further[i].compute(hour / hours[i], bucket, 0, size);
        }
      }
    }
    return finite;
  }

  /** Whether the sums of all buckets with points are finite. */
  private boolean isFinite(int series) {
    for (int bucket = 0; bucket < firsts[hours.length]; bucket++) {
      table.load(series, bucket, summary);
      if (summary.count() > 0 && !summary.isFinite()) {
        return false;
      }
    }
    return true;
  }

  /** The first row key of the day, with space for {@code tagBytes} bytes of tags. */
  private byte[] row(int tagBytes) {
    byte[] row = Arrays.copyOf(prefix, rowKey.tagsOffset() + tagBytes);
    Uids.write(day, row, rowKey.timeOffset(), RowKey.TIME_WIDTH);
    return row;
  }

  /**
   * Whether a row of the series' day could be in an unreadable range. Changes the row's base time.
   */
  private boolean couldHaveLost(byte[] row) {
    if (lost.isEmpty()) {
      return false;
    }
    for (long time = day; time < day + DAY_SECONDS; time += HOUR_SECONDS) {
      Uids.write(time, row, rowKey.timeOffset(), RowKey.TIME_WIDTH);
      if (lost.has(row)) {
        return true;
      }
    }
    return false;
  }

  private String date() {
    return LocalDate.ofEpochDay(day / DAY_SECONDS).toString();
  }

  private String name(byte[] row) {
    byte[] tsuid = rowKey.tsuid(row, 0, row.length);
    return "day " + date() + " of TSUID " + HexFormat.of().withUpperCase().formatHex(tsuid);
  }
}
