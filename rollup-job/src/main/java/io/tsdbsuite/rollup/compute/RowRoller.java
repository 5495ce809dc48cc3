package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.MetricRows;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.uid.UidNames;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of a data table into rollups: {@link #enter}, {@link #restart}, {@link #cell} for each
 * cell of a row, {@link #roll}, which emits the rollups of the row's hour; {@link #enter} and
 * {@link #finish} emit the rollups of days, whose intervals are above an hour. A row that fails
 * emits nothing. Reused for every row of a task; for one thread.
 */
final class RowRoller implements CellVisitor {
  private final RowKey rowKey;
  private final RowMerger merger;
  private final SeriesNames names;
  private final boolean named;
  private final MetricSelector metrics;

  /** Whether metrics may have further aggregators or histograms. */
  private final boolean selects;

  /** The intervals whose rollups may have histograms. */
  private final List<RollupInterval> withHistograms;

  /** The histogram cells of a row; empty of a metric whose rollups have no histograms. */
  private final RowHistograms cells = new RowHistograms();

  /** Of all cells of a row. */
  private final BucketHistogram whole;

  /** Of the last row, where rollups may have histograms. */
  private Selection selection = Selection.NONE;

  /** Whether rollups of the row's metric have histograms. */
  private boolean receives;

  /**
   * At least one; without an interval within the hour, the hour itself is summed up only to check
   * that its sum is finite.
   */
  private final List<HourRollups> hours;

  private final boolean emitsHours;

  /** Null without an interval above an hour. */
  private final @Nullable DayRoller days;

  private final RollupPoint point = new RollupPoint();

  /** Cause why the row cannot be decoded; its further cells are ignored then. */
  private @Nullable RowException failure;

  /**
   * @param named whether rollups need the names of their series
   * @param dayBytes memory limit for the sums of a day's series; unused without days
   */
  RowRoller(
      StorageSchema schema,
      RollupIntervals intervals,
      UidNames names,
      boolean named,
      long dayBytes) {
    this.rowKey = new RowKey(schema);
    this.merger = new RowMerger(schema);
    this.names = new SeriesNames(rowKey, names);
    this.named = named;
    this.metrics = new MetricSelector(intervals.suite(), names);
    this.selects = !intervals.suite().isEmpty();
    this.withHistograms = intervals.withHistograms();
    this.whole = new BucketHistogram(intervals.codecs());
    this.emitsHours = !intervals.ofHour().isEmpty();
    this.hours =
        emitsHours
            ? intervals.ofHour().stream()
                .map(
                    interval ->
                        new HourRollups(
                            interval.interval(), interval.seconds(), intervals.codecs()))
                .toList()
            : List.of(new HourRollups("", RowKey.ROW_SPAN_SECONDS, intervals.codecs()));
    this.days =
        intervals.needsDays()
            ? new DayRoller(intervals, rowKey, named ? this.names : null, metrics, dayBytes)
            : null;
  }

  /** From now on the rows are those of days that have changed: {@link DayRoller#takeBack}. */
  void takeBackDays() {
    if (days != null) {
      days.takeBack();
    }
  }

  /** Begins a row. */
  @Override
  public void restart() {
    merger.reset();
    failure = null;
  }

  @Override
  public void cell(
      byte[] qualifier,
      int qualifierOffset,
      int qualifierLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long timestamp) {
    if (failure != null) {
      return;
    }
    try {
      merger.add(
          qualifier, qualifierOffset, qualifierLength, value, valueOffset, valueLength, timestamp);
    } catch (RowException e) {
      failure = e;
    }
  }

  /**
   * Starts a row, before its first cell. If it is the first of another day or metric, the previous
   * day is emitted first, some series with each call, which keeps the sink's buffer small.
   *
   * @param key array with the row key, which may have any length
   * @return false when there is more to emit before the row can be read: call again
   * @throws SinkException when the sink cannot take the rollups
   */
  boolean enter(byte[] key, int off, int len, RollupSink sink, Books books) throws SinkException {
    boolean keyed = len >= rowKey.tagsOffset();
    if (days != null && keyed && !days.enter(key, off, sink, books)) {
      return false;
    }
    if (!withHistograms.isEmpty()) {
      receive(keyed ? metrics.selection(rowKey.metricUid(key, off)) : Selection.NONE);
    }
    return true;
  }

  private void receive(Selection ofMetric) {
    if (ofMetric != selection) {
      selection = ofMetric;
      receives = withHistograms.stream().anyMatch(each -> ofMetric.histogram(each.interval()));
      merger.receive(receives ? cells : null);
    }
  }

  /**
   * Rolls up the current row after its last cell and enters it into the books.
   *
   * @param takeBack whether to take back the rollups of intervals without points, because they may
   *     have had points before
   * @param corrupt the corrupt block that may have further points of the row; null if it is whole
   * @throws SinkException when the sink cannot take the rollups
   */
  void roll(
      byte[] key,
      int off,
      int len,
      boolean takeBack,
      @Nullable UnreadableBlockException corrupt,
      RollupSink sink,
      Books books)
      throws SinkException {
    long before = oddPoints(books);
    long histogramsBefore = oddHistograms(books);
    MetricRows rows = books.metricRows();
    if (rows != null) {
      rows.begin(books);
    }
    rollUp(key, off, len, takeBack, corrupt, sink, books);
    // The row stays if its cells have no sum as a whole, which tiers apply looks at: of two codecs
    // in different buckets, for example.
    if (rows != null && rows.end(books, receives && whole.isSum(cells))) {
      rows.go(rowKey.metricUid(key, off));
    }
    if (oddPoints(books) > before) {
      books.oddMetric(hour(key, off));
    }
    if (oddHistograms(books) > histogramsBefore) {
      books.oddHistogram(hour(key, off));
    }
  }

  private RunProof.OddMetric hour(byte[] key, int off) {
    long hour = rowKey.baseTime(key, off);
    return new RunProof.OddMetric(rowKey.metricUid(key, off), hour, hour + RowKey.ROW_SPAN_SECONDS);
  }

  private static long oddPoints(Books books) {
    return books.count(Count.POINTS_NOT_A_NUMBER) + books.count(Count.AMBIGUOUS_DUPLICATES);
  }

  /** Buckets whose histograms no level of the coverage proves. */
  static long oddHistograms(Books books) {
    return books.count(Count.HISTOGRAMS_TOO_WIDE) + books.count(Count.HISTOGRAMS_MIXED);
  }

  private void rollUp(
      byte[] key,
      int off,
      int len,
      boolean takeBack,
      @Nullable UnreadableBlockException corrupt,
      RollupSink sink,
      Books books)
      throws SinkException {
    books.rowRead();
    KeyProblem problem =
        rowKey.isGlobalAnnotation(key, off, len) ? null : rowKey.check(key, off, len);
    if (problem != null) {
      FailReason reason =
          problem == KeyProblem.WRONG_SALT ? FailReason.OTHER_BUCKET : FailReason.MALFORMED_KEY;
      books.rowFailed(reason, 0, text(key, off, len, problem.rule()));
      // A query would find the row in its series; a row with another problem belongs to no series.
      boolean ofSeries =
          problem == KeyProblem.UNALIGNED_BASE_TIME || problem == KeyProblem.WRONG_SALT;
      if (days != null && ofSeries) {
        days.fail(key, off, len, books);
      }
      return;
    }
    PointBuffer points = merge(key, off, len, books);
    if (points == null) {
      return;
    }
    if (corrupt != null && !rowKey.isGlobalAnnotation(key, off, len)) {
      String why =
          "the block near offset "
              + corrupt.offset()
              + " of HFile "
              + corrupt.file()
              + ", in another salt bucket, is corrupt and may have further points of its hour";
      fail(FailReason.BESIDE_UNREADABLE_BLOCK, points.size(), key, off, len, why, books);
      return;
    }
    if (points.size() == 0 && !hasCells()) {
      boolean setAside = merger.annotations() + merger.histograms() > 0;
      if (merger.histograms() > 0 && !withHistograms.isEmpty() && isNameless(key, off)) {
        books.oddMetric(hour(key, off));
      }
      books.rowSkipped(setAside ? SkipReason.ANNOTATION_OR_HISTOGRAM : SkipReason.EMPTY, 0);
      return;
    }
    emit(key, off, len, points, takeBack, sink, books);
  }

  /** Whether the row has histogram cells that are rolled up. */
  private boolean hasCells() {
    return receives && cells.size() > 0;
  }

  private @Nullable PointBuffer merge(byte[] key, int off, int len, Books books) {
    PointBuffer points = null;
    if (failure == null) {
      try {
        if (receives) {
          cells.sort();
        }
        points = merger.merge();
      } catch (RowException e) {
        failure = e;
      }
    }
    books.contents(merger.pointsRead(), merger.duplicatesDropped(), merger.ambiguousDuplicates());
    books.setAside(
        merger.annotations(), merger.histograms(), merger.unknownColumns(), merger.emptyValues());
    if (failure != null) {
      FailReason reason =
          failure instanceof DuplicateConflictException
              ? FailReason.CONFLICTING_DUPLICATES
              : FailReason.CORRUPT_CELL;
      long unique = (long) merger.pointsRead() - merger.duplicatesDropped();
      fail(reason, unique, key, off, len, String.valueOf(failure.getMessage()), books);
    }
    return points;
  }

  /** Enters a failed row into the books and fails the day of its series. */
  private void fail(
      FailReason reason, long points, byte[] key, int off, int len, String why, Books books) {
    books.rowFailed(reason, points, text(key, off, len, why));
    if (days != null) {
      days.fail(key, off, len, books);
    }
  }

  private static String text(byte[] key, int off, int len, String why) {
    return "row " + Bytes.toStringBinary(key, off, len) + ": " + why;
  }

  private void emit(
      byte[] key,
      int off,
      int len,
      PointBuffer points,
      boolean takeBack,
      RollupSink sink,
      Books books)
      throws SinkException {
    int counted = summarise(points);
    if (counted == HourRollups.NOT_FINITE) {
      String why = "its points or their sum are infinite, which no TSD stores";
      fail(FailReason.NOT_FINITE, points.size(), key, off, len, why, books);
      return;
    }
    if (counted == 0 && !hasCells()) {
      books.rowSkipped(SkipReason.EMPTY, points.size());
      return;
    }
    try {
      if (selects && !further(points, metrics.selection(rowKey.metricUid(key, off)))) {
        String why = "a percentile of its points is infinite, which no TSD stores";
        fail(FailReason.NOT_FINITE, points.size(), key, off, len, why, books);
        return;
      }
    } catch (HistogramException e) {
      FailReason reason = e.isUnknownCodec() ? FailReason.UNKNOWN_CODEC : FailReason.CORRUPT_CELL;
      fail(reason, points.size(), key, off, len, String.valueOf(e.getMessage()), books);
      return;
    }
    String unresolved = named ? names.resolve(key, off, len, point) : null;
    if (unresolved != null) {
      fail(names.reason(), points.size(), key, off, len, unresolved, books);
      return;
    }
    point.row(key, off, len, rowKey.timeOffset());
    if (emitsHours) {
      long base = rowKey.baseTime(key, off);
      for (int i = 0; i < hours.size(); i++) {
        HourRollups rollups = hours.get(i);
        int emitted = rollups.emit(base, point, takeBack, sink, books);
        books.rollups(rollups.interval(), emitted);
        if (takeBack) {
          books.rollupsTakenBack(rollups.perRow() - emitted);
        }
      }
    }
    if (days != null) {
      days.add(key, off, len, points, books);
    }
    if (selects && isNameless(key, off)) {
      books.oddMetric(hour(key, off));
    }
    books.rowEmitted(counted, points.size() - counted);
  }

  /** By the name that a newer UID table has, windows may claim further levels of such a metric. */
  private boolean isNameless(byte[] key, int off) {
    return metrics.name(rowKey.metricUid(key, off)) == null;
  }

  /** Sums up every interval; returns the number of points, which is the same for each. */
  private int summarise(PointBuffer points) {
    int counted = 0;
    for (int i = 0; i < hours.size() && counted != HourRollups.NOT_FINITE; i++) {
      counted = hours.get(i).summarise(points);
    }
    return counted;
  }

  /**
   * Computes the further aggregators of every interval, and the histograms; returns whether all are
   * finite.
   */
  private boolean further(PointBuffer points, Selection ofMetric) throws HistogramException {
    boolean finite = true;
    for (int i = 0; i < hours.size() && emitsHours; i++) {
      finite &= hours.get(i).further(points, cells, ofMetric);
    }
    if (days != null && receives) {
      days.sumUp(points, cells);
    }
    return finite;
  }

  /**
   * Records a range of unreadable rows: the days of all series that could have a row in it fail.
   *
   * @param from first unreadable row, inclusive
   * @param to first readable row after the range; empty for the end of the table
   */
  void lose(byte[] from, byte[] to) {
    if (days != null) {
      days.lose(from, to);
    }
  }

  /**
   * Emits the last day after the last row, some series with each call.
   *
   * @return whether there is more to emit
   */
  boolean finish(RollupSink sink, Books books) throws SinkException {
    return days != null && !days.finish(sink, books);
  }
}
