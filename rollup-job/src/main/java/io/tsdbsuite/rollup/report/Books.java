package io.tsdbsuite.rollup.report;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What became of everything that was read. These sums must hold at the end:
 *
 * <pre>
 * rows read   = emitted + skipped (by reason) + failed (by reason)
 * points read = aggregated + duplicates + not a number + in failed rows
 * days read   = emitted + failed (by reason)                 where days are rolled up
 * </pre>
 *
 * <p>A day is one of one series; what it is made of are rows, which are in the first sum too.
 *
 * <p>One for each task, added up by the driver from the tasks that succeeded, so that an attempt
 * that was repeated does not count twice. Not thread-safe.
 */
public final class Books implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Samples kept for each reason of failure. */
  public static final int SAMPLES = 5;

  /** Rows that have vanished which are listed. */
  public static final int VANISHED = 1000;

  private final Tally<Count> counts = new Tally<>(Count.class);
  private final Tally<SkipReason> skipped = new Tally<>(SkipReason.class);
  private final Tally<FailReason> failed = new Tally<>(FailReason.class);
  private final EnumMap<FailReason, List<String>> samples = new EnumMap<>(FailReason.class);
  private final TreeMap<String, long[]> rollups = new TreeMap<>();
  private final List<String> vanished = new ArrayList<>();

  /** A row was read. */
  public void rowRead() {
    counts.increment(Count.ROWS_READ);
  }

  /**
   * The row that was read gave rollups, or entered its day.
   *
   * @param points that the rollups are made of
   * @param notANumber points left out because they are NaN
   */
  public void rowEmitted(long points, long notANumber) {
    counts.increment(Count.ROWS_EMITTED);
    counts.add(Count.POINTS_AGGREGATED, points);
    counts.add(Count.POINTS_NOT_A_NUMBER, notANumber);
  }

  /** Rollups of an interval were emitted. */
  public void rollups(String interval, long emitted) {
    long[] sum = rollups.get(interval);
    if (sum == null) {
      sum = new long[1];
      rollups.put(interval, sum);
    }
    sum[0] += emitted;
  }

  /**
   * A row outside the window has changed, and gives no rollup any more: what is stored for it is of
   * points that are gone, and this run cannot take it back. It is not among the rows that were
   * read, or is among those that were skipped.
   *
   * @param row names the series and the hour
   */
  public void rowVanished(String row) {
    vanished(1, List.of(row));
  }

  void vanished(long count, List<String> rows) {
    counts.add(Count.ROWS_VANISHED, count);
    rows.stream().limit(VANISHED - (long) vanished.size()).forEach(vanished::add);
  }

  /**
   * A row outside the window has changed, gives no rollup any more, and what is stored for it was
   * taken back. It is counted nowhere else, or among the rows that were skipped.
   */
  public void rowTakenBack() {
    counts.increment(Count.ROWS_TAKEN_BACK);
  }

  /** Rollups were taken back, one for each series and interval; they are no {@link #rollups}. */
  public void rollupsTakenBack(long intervals) {
    counts.add(Count.ROLLUPS_TAKEN_BACK, intervals);
  }

  /** A series has a row in another day. */
  public void dayRead() {
    counts.increment(Count.DAYS_READ);
  }

  /** The day's rollup was emitted; {@link #rollups} has it too. */
  public void dayEmitted() {
    counts.increment(Count.DAYS_EMITTED);
  }

  /**
   * Rows of a day are in a salt bucket that is not their series' own, and its rollup without them,
   * which may look whole, cannot be taken back.
   */
  public void dayMisplaced() {
    counts.increment(Count.DAYS_MISPLACED);
  }

  /** The day that was read could not be rolled up. */
  public void dayFailed(FailReason reason, Supplier<String> sample) {
    failed.increment(reason);
    List<String> list = samples.computeIfAbsent(reason, r -> new ArrayList<>());
    if (list.size() < SAMPLES) {
      list.add(sample.get());
    }
  }

  /** The row that was read gave none, rightly. */
  public void rowSkipped(SkipReason reason, long notANumber) {
    skipped.increment(reason);
    counts.add(Count.POINTS_NOT_A_NUMBER, notANumber);
  }

  /**
   * The row that was read could not be rolled up.
   *
   * @param points of the row that had been read, duplicates left out
   * @param sample names the row and the rule that it breaks
   */
  public void rowFailed(FailReason reason, long points, String sample) {
    failed.increment(reason);
    counts.add(Count.POINTS_IN_FAILED_ROWS, points);
    List<String> list = samples.computeIfAbsent(reason, r -> new ArrayList<>());
    if (list.size() < SAMPLES) {
      list.add(sample);
    }
  }

  /**
   * Counts the contents of a row.
   *
   * @param points all points, before duplicates are dropped
   * @param duplicates points dropped because of a newer or equal one
   * @param ambiguous of these, those where HBase's timestamps do not say which is newer
   */
  public void contents(long points, long duplicates, long ambiguous) {
    counts.add(Count.POINTS_READ, points);
    counts.add(Count.POINTS_DUPLICATE, duplicates);
    counts.add(Count.AMBIGUOUS_DUPLICATES, ambiguous);
  }

  /** Counts the columns of a row that hold no point. */
  public void setAside(long annotationColumns, long histogramColumns, long unknown, long empty) {
    counts.add(Count.ANNOTATIONS, annotationColumns);
    counts.add(Count.HISTOGRAMS, histogramColumns);
    counts.add(Count.UNKNOWN_COLUMNS, unknown);
    counts.add(Count.EMPTY_VALUES, empty);
  }

  /**
   * Counts what went to the sink.
   *
   * @param sent messages that the emitted rollups make
   * @param acknowledged messages that the sink has confirmed
   */
  public void messages(long sent, long acknowledged) {
    counts.add(Count.MESSAGES_SENT, sent);
    counts.add(Count.MESSAGES_ACKNOWLEDGED, acknowledged);
  }

  /** Counts what storage delivered. */
  public void storage(long bytes, long calls) {
    counts.add(Count.BYTES_READ, bytes);
    counts.add(Count.READ_CALLS, calls);
  }

  /** Adds another task's books. */
  public void add(Books other) {
    counts.addAll(other.counts);
    skipped.addAll(other.skipped);
    failed.addAll(other.failed);
    other.rollups.forEach((interval, sum) -> rollups(interval, sum[0]));
    samples(other.samples);
    // Their number is among the counts.
    vanished(0, other.vanished);
  }

  /** Takes samples of failed rows as far as there is room. */
  void samples(Map<FailReason, List<String>> more) {
    more.forEach(
        (reason, list) -> {
          List<String> own = samples.computeIfAbsent(reason, r -> new ArrayList<>());
          list.stream().limit(SAMPLES - (long) own.size()).forEach(own::add);
        });
  }

  /** A copy that does not change with this one. */
  public Books copy() {
    Books copy = new Books();
    copy.add(this);
    return copy;
  }

  /** Whether the sums hold and every message was acknowledged. */
  public boolean close() {
    return rowsRead() == rowsEmitted() + rowsSkipped() + rowsFailed()
        && pointsRead()
            == pointsAggregated() + pointsDuplicate() + pointsNotANumber() + pointsInFailedRows()
        && daysRead() == daysEmitted() + daysFailed()
        && messagesSent() == messagesAcknowledged();
  }

  /** Rows that HBase delivered. */
  public long rowsRead() {
    return counts.get(Count.ROWS_READ);
  }

  /** Rows that gave rollups. */
  public long rowsEmitted() {
    return counts.get(Count.ROWS_EMITTED);
  }

  /** Rows that gave none, rightly. */
  public long rowsSkipped() {
    return skipped.total();
  }

  /** Rows that could not be rolled up. */
  public long rowsFailed() {
    return failed.total() - daysFailed();
  }

  /**
   * What an operator allows some of: failed rows, and days that failed though all of their rows are
   * good. Days that are incomplete have their cause among the rows or blocks.
   */
  public long failures() {
    return rowsFailed() - blocksFailed() + failed.get(FailReason.FAILED_DAY);
  }

  /** Corrupt blocks of HFiles; each is one of {@link #rowsFailed}, however many rows it hides. */
  public long blocksFailed() {
    return failed.get(FailReason.UNREADABLE_BLOCK);
  }

  /** Rows outside the window that give no rollup any more, and whose rollups were taken back. */
  public long rowsTakenBack() {
    return counts.get(Count.ROWS_TAKEN_BACK);
  }

  /** Rollups taken back: one for each series and interval. */
  public long rollupsTakenBack() {
    return counts.get(Count.ROLLUPS_TAKEN_BACK);
  }

  /** Rows outside the window that give no rollup any more, and whose rollups stay. */
  public long rowsVanished() {
    return counts.get(Count.ROWS_VANISHED);
  }

  /** Some of them. */
  public List<String> vanished() {
    return List.copyOf(vanished);
  }

  /** Days of series that had a row. */
  public long daysRead() {
    return counts.get(Count.DAYS_READ);
  }

  /** Days of series whose rollups lack rows that are in another salt bucket, and may look whole. */
  public long daysMisplaced() {
    return counts.get(Count.DAYS_MISPLACED);
  }

  /** Days of series that gave a rollup. */
  public long daysEmitted() {
    return counts.get(Count.DAYS_EMITTED);
  }

  /** Days of series that could not be rolled up. */
  public long daysFailed() {
    return failed.get(FailReason.INCOMPLETE_DAY) + failed.get(FailReason.FAILED_DAY);
  }

  /** Rows that gave none for one reason. */
  public long skipped(SkipReason reason) {
    return skipped.get(reason);
  }

  /** Rows, or days, that failed for one reason. */
  public long failed(FailReason reason) {
    return failed.get(reason);
  }

  /** Points in the rows, before duplicates are dropped. */
  public long pointsRead() {
    return counts.get(Count.POINTS_READ);
  }

  /** Points that the rollups are made of. */
  public long pointsAggregated() {
    return counts.get(Count.POINTS_AGGREGATED);
  }

  /** Points dropped because of a newer or equal one of the same instant. */
  public long pointsDuplicate() {
    return counts.get(Count.POINTS_DUPLICATE);
  }

  /** Points that are NaN, which OpenTSDB leaves out as well. */
  public long pointsNotANumber() {
    return counts.get(Count.POINTS_NOT_A_NUMBER);
  }

  /** Points of rows that failed. */
  public long pointsInFailedRows() {
    return counts.get(Count.POINTS_IN_FAILED_ROWS);
  }

  /** Duplicates that HBase's timestamps did not decide; the first in column order was kept. */
  public long ambiguousDuplicates() {
    return counts.get(Count.AMBIGUOUS_DUPLICATES);
  }

  /** Cells with a value of 0 bytes, dropped. */
  public long emptyValues() {
    return counts.get(Count.EMPTY_VALUES);
  }

  /** Annotation columns, set aside. */
  public long annotations() {
    return counts.get(Count.ANNOTATIONS);
  }

  /** Histogram columns, set aside. */
  public long histograms() {
    return counts.get(Count.HISTOGRAMS);
  }

  /** Columns that OpenTSDB ignores, set aside. */
  public long unknownColumns() {
    return counts.get(Count.UNKNOWN_COLUMNS);
  }

  /** Rollups emitted: one for each series and interval. */
  public long intervalsEmitted() {
    return rollups.values().stream().mapToLong(sum -> sum[0]).sum();
  }

  /** Rollups emitted of each interval that gave any, by its name. */
  public SortedMap<String, Long> rollups() {
    SortedMap<String, Long> copy = new TreeMap<>();
    rollups.forEach((interval, sum) -> copy.put(interval, sum[0]));
    return copy;
  }

  /** Messages or lines handed to the sink. */
  public long messagesSent() {
    return counts.get(Count.MESSAGES_SENT);
  }

  /** Messages or lines that the sink has confirmed. */
  public long messagesAcknowledged() {
    return counts.get(Count.MESSAGES_ACKNOWLEDGED);
  }

  /** Bytes of HFiles that storage delivered. */
  public long bytesRead() {
    return counts.get(Count.BYTES_READ);
  }

  /** Read calls to storage. */
  public long readCalls() {
    return counts.get(Count.READ_CALLS);
  }

  Tally<Count> counts() {
    return counts;
  }

  Tally<SkipReason> skipped() {
    return skipped;
  }

  Tally<FailReason> failed() {
    return failed;
  }

  /** Some failed rows or days for each reason. */
  public Map<FailReason, List<String>> samples() {
    return samples;
  }
}
