package io.tsdbsuite.rollup.report;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the results of everything read. These sums must hold at the end:
 *
 * <pre>
 * rows read   = emitted + skipped (by reason) + failed (by reason)
 * points read = aggregated + duplicates + not a number + in failed rows
 * days read   = emitted + failed (by reason)                 where days are rolled up
 * </pre>
 *
 * <p>A day is the day of one series; its rows are also in the first sum.
 *
 * <p>Each task has its own books. The driver adds up the books of successful tasks, so a retried
 * attempt is not counted twice. Not thread-safe.
 */
public final class Books implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Samples kept for each reason of failure. */
  public static final int SAMPLES = 5;

  /** Limit of listed vanished rows. */
  public static final int VANISHED = 1000;

  /** Limit of {@link #oddMetrics}, and of {@link #oddHistograms}. */
  public static final int ODD_METRICS = 50;

  private final Tally<Count> counts = new Tally<>(Count.class);
  private final Tally<SkipReason> skipped = new Tally<>(SkipReason.class);
  private final Tally<FailReason> failed = new Tally<>(FailReason.class);
  private final EnumMap<FailReason, List<String>> samples = new EnumMap<>(FailReason.class);
  private final TreeMap<String, long[]> rollups = new TreeMap<>();
  private final TreeMap<String, long[]> furtherRollups = new TreeMap<>();
  private final TreeMap<String, long[]> histogramsAlone = new TreeMap<>();
  private final TreeMap<String, long[]> lateHistogramsAlone = new TreeMap<>();
  private final List<String> vanished = new ArrayList<>();
  private final TreeMap<Long, RunProof.OddMetric> oddMetrics = new TreeMap<>();
  private final TreeMap<Long, RunProof.OddMetric> oddHistograms = new TreeMap<>();
  private @Nullable MetricRows metricRows;

  /** Books without {@link #metricRows}. */
  public Books() {}

  /** Books with {@link #metricRows}. */
  public Books(MetricRows metricRows) {
    this.metricRows = metricRows;
  }

  /** Rows by metric, or by the reason why they stay; null if they are not counted. */
  public @Nullable MetricRows metricRows() {
    return metricRows;
  }

  /** Counts a row read. */
  public void rowRead() {
    counts.increment(Count.ROWS_READ);
  }

  /**
   * Counts the current row as emitted: it produced rollups or was added to its day.
   *
   * @param points points summed up in the rollups
   * @param notANumber points left out because they are NaN
   */
  public void rowEmitted(long points, long notANumber) {
    counts.increment(Count.ROWS_EMITTED);
    counts.add(Count.POINTS_AGGREGATED, points);
    counts.add(Count.POINTS_NOT_A_NUMBER, notANumber);
  }

  /** Counts emitted rollups of an interval. */
  public void rollups(String interval, long emitted) {
    add(rollups, interval, emitted);
  }

  /**
   * Counts emitted rollups, which {@link #rollups} has too, with a further aggregator or a
   * histogram.
   *
   * @param level as {@code 1h.p99} or {@code 1h.histogram}
   */
  public void furtherRollups(String level, long emitted) {
    add(furtherRollups, level, emitted);
  }

  private static void add(Map<String, long[]> sums, String name, long more) {
    if (more > 0) {
      sums.computeIfAbsent(name, any -> new long[1])[0] += more;
    }
  }

  /** Counts emitted rollups, which {@link #rollups} has too, with a histogram and no values. */
  public void histogramsAlone(String interval, long emitted) {
    add(histogramsAlone, interval, emitted);
  }

  /** Counts those of {@link #histogramsAlone} that are of before the window. */
  public void lateHistogramsAlone(String interval, long emitted) {
    add(lateHistogramsAlone, interval, emitted);
  }

  /** Counts {@link Count#HISTOGRAMS_TOO_WIDE} and {@link Count#HISTOGRAMS_MIXED}. */
  public void oddHistograms(long tooWide, long mixed) {
    counts.add(Count.HISTOGRAMS_TOO_WIDE, tooWide);
    counts.add(Count.HISTOGRAMS_MIXED, mixed);
  }

  /**
   * Counts a changed row outside the window that produces no rollup any more. Its stored rollups
   * are of deleted points, and this run cannot take them back. The row was either not read or is
   * counted as skipped.
   *
   * @param row text with the series and the hour
   */
  public void rowVanished(String row) {
    vanished(1, List.of(row));
  }

  void vanished(long count, List<String> rows) {
    counts.add(Count.ROWS_VANISHED, count);
    rows.stream().limit(VANISHED - (long) vanished.size()).forEach(vanished::add);
  }

  /**
   * Counts a changed row outside the window that produces no rollup any more and whose stored
   * rollups were taken back. The row is not counted elsewhere, except perhaps as skipped.
   */
  public void rowTakenBack() {
    counts.increment(Count.ROWS_TAKEN_BACK);
  }

  /**
   * Counts rollups taken back, one for each series and interval; {@link #rollups} excludes them.
   */
  public void rollupsTakenBack(long intervals) {
    counts.add(Count.ROLLUPS_TAKEN_BACK, intervals);
  }

  /** Counts a day of a series. */
  public void dayRead() {
    counts.increment(Count.DAYS_READ);
  }

  /** Counts the current day as emitted; {@link #rollups} includes its rollup. */
  public void dayEmitted() {
    counts.increment(Count.DAYS_EMITTED);
  }

  /** Counts the current day as failed. */
  public void dayFailed(FailReason reason, Supplier<String> sample) {
    failed(reason, sample);
  }

  private void failed(FailReason reason, Supplier<String> sample) {
    failed.increment(reason);
    List<String> list = samples.computeIfAbsent(reason, any -> new ArrayList<>());
    if (list.size() < SAMPLES) {
      list.add(sample.get());
    }
  }

  /** Counts the current row as skipped: it correctly produced no rollup. */
  public void rowSkipped(SkipReason reason, long notANumber) {
    skipped.increment(reason);
    counts.add(Count.POINTS_NOT_A_NUMBER, notANumber);
  }

  /**
   * Counts the current row as failed.
   *
   * @param points points read from the row, without duplicates
   * @param sample text with the row and the broken rule
   */
  public void rowFailed(FailReason reason, long points, String sample) {
    counts.add(Count.POINTS_IN_FAILED_ROWS, points);
    failed(reason, () -> sample);
  }

  /**
   * Counts the contents of a row.
   *
   * @param points all points, before duplicates are dropped
   * @param duplicates points dropped because of a newer or equal one
   * @param ambiguous duplicates whose order HBase's timestamps do not decide, part of {@code
   *     duplicates}
   */
  public void contents(long points, long duplicates, long ambiguous) {
    counts.add(Count.POINTS_READ, points);
    counts.add(Count.POINTS_DUPLICATE, duplicates);
    counts.add(Count.AMBIGUOUS_DUPLICATES, ambiguous);
  }

  /**
   * Names the metric and the hours of a row with {@link Count#POINTS_NOT_A_NUMBER} or {@link
   * Count#AMBIGUOUS_DUPLICATES}: its rollups may differ from the answers of a TSD.
   */
  public void oddMetric(RunProof.OddMetric odd) {
    add(oddMetrics, odd);
  }

  /**
   * Names the metric and the hours of a bucket with {@link Count#HISTOGRAMS_TOO_WIDE} or {@link
   * Count#HISTOGRAMS_MIXED}.
   */
  public void oddHistogram(RunProof.OddMetric odd) {
    add(oddHistograms, odd);
  }

  private static void add(SortedMap<Long, RunProof.OddMetric> metrics, RunProof.OddMetric odd) {
    if (metrics.size() <= ODD_METRICS || metrics.containsKey(odd.uid())) {
      metrics.merge(odd.uid(), odd, RunProof.OddMetric::and);
    }
  }

  /** Those of {@link #oddMetric}; one more than {@link #ODD_METRICS} if there are too many. */
  public List<RunProof.OddMetric> oddMetrics() {
    return List.copyOf(oddMetrics.values());
  }

  /** Those of {@link #oddHistogram}; one more than {@link #ODD_METRICS} if there are too many. */
  public List<RunProof.OddMetric> oddHistograms() {
    return List.copyOf(oddHistograms.values());
  }

  /** Counts the columns of a row without a point. */
  public void setAside(long annotationColumns, long histogramColumns, long unknown, long empty) {
    counts.add(Count.ANNOTATIONS, annotationColumns);
    counts.add(Count.HISTOGRAMS, histogramColumns);
    counts.add(Count.UNKNOWN_COLUMNS, unknown);
    counts.add(Count.EMPTY_VALUES, empty);
  }

  /**
   * Counts messages to the sink.
   *
   * @param sent messages of the emitted rollups
   * @param acknowledged messages that the sink has confirmed
   */
  public void messages(long sent, long acknowledged) {
    counts.add(Count.MESSAGES_SENT, sent);
    counts.add(Count.MESSAGES_ACKNOWLEDGED, acknowledged);
  }

  /** Counts {@link Count#OLD_TIMESTAMPS}. */
  public void oldTimestamps() {
    counts.increment(Count.OLD_TIMESTAMPS);
  }

  /** Counts bytes delivered by storage, and read calls. */
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
    other.furtherRollups.forEach((level, sum) -> furtherRollups(level, sum[0]));
    other.histogramsAlone.forEach((interval, sum) -> histogramsAlone(interval, sum[0]));
    other.lateHistogramsAlone.forEach((interval, sum) -> lateHistogramsAlone(interval, sum[0]));
    samples(other.samples);
    // The counts already include their number.
    vanished(0, other.vanished);
    other.oddMetrics.values().forEach(this::oddMetric);
    other.oddHistograms.values().forEach(this::oddHistogram);
    if (other.metricRows != null) {
      if (metricRows == null) {
        metricRows = new MetricRows();
      }
      metricRows.add(other.metricRows);
    }
  }

  /** Adds samples of failed rows up to {@link #SAMPLES}. */
  void samples(Map<FailReason, List<String>> more) {
    more.forEach(
        (reason, list) -> {
          List<String> own = samples.computeIfAbsent(reason, r -> new ArrayList<>());
          list.stream().limit(SAMPLES - (long) own.size()).forEach(own::add);
        });
  }

  /** Returns an independent copy. */
  public Books copy() {
    Books copy = new Books();
    copy.add(this);
    return copy;
  }

  /** Whether the sums hold and every message was acknowledged. */
  public boolean close() {
    return count(Count.ROWS_READ) == count(Count.ROWS_EMITTED) + rowsSkipped() + rowsFailed()
        && count(Count.POINTS_READ)
            == count(Count.POINTS_AGGREGATED)
                + count(Count.POINTS_DUPLICATE)
                + count(Count.POINTS_NOT_A_NUMBER)
                + count(Count.POINTS_IN_FAILED_ROWS)
        && count(Count.DAYS_READ) == count(Count.DAYS_EMITTED) + daysFailed()
        && count(Count.MESSAGES_SENT) == count(Count.MESSAGES_ACKNOWLEDGED);
  }

  /** Returns a count. */
  public long count(Count count) {
    return counts.get(count);
  }

  /** Rows that correctly produced no rollup. */
  public long rowsSkipped() {
    return skipped.total();
  }

  /** Rows that could not be rolled up. */
  public long rowsFailed() {
    return failed.total() - daysFailed();
  }

  /**
   * Failures that count against the limit: failed rows, and failed days whose rows are all valid.
   * Incomplete days, and rows beside a corrupt block, are excluded, because the failed rows or
   * blocks that cause them are counted.
   */
  public long failures() {
    return rowsFailed()
        - blocksFailed()
        - failed.get(FailReason.BESIDE_UNREADABLE_BLOCK)
        + failed.get(FailReason.FAILED_DAY);
  }

  /** Corrupt blocks of HFiles; each is one of {@link #rowsFailed}, however many rows it hides. */
  public long blocksFailed() {
    return failed.get(FailReason.UNREADABLE_BLOCK);
  }

  /** Samples of {@link Count#ROWS_VANISHED}, at most {@link #VANISHED}. */
  public List<String> vanished() {
    return List.copyOf(vanished);
  }

  /** Days of series that could not be rolled up. */
  public long daysFailed() {
    return failed.get(FailReason.INCOMPLETE_DAY) + failed.get(FailReason.FAILED_DAY);
  }

  /** Rows skipped for a reason. */
  public long skipped(SkipReason reason) {
    return skipped.get(reason);
  }

  /** Rows or days that failed for a reason. */
  public long failed(FailReason reason) {
    return failed.get(reason);
  }

  /** Rollups emitted: one for each series and interval. */
  public long intervalsEmitted() {
    return rollups.values().stream().mapToLong(sum -> sum[0]).sum();
  }

  /** Emitted rollups by interval name, for intervals with at least one. */
  public SortedMap<String, Long> rollups() {
    return copy(rollups);
  }

  /** Emitted rollups with a further aggregator or histogram by level, for levels with any. */
  public SortedMap<String, Long> furtherRollups() {
    return copy(furtherRollups);
  }

  /** Emitted rollups with a histogram and no values by interval, for intervals with any. */
  public SortedMap<String, Long> histogramsAlone() {
    return copy(histogramsAlone);
  }

  /** Those of {@link #histogramsAlone} of before the window: the values of these are taken back. */
  public SortedMap<String, Long> lateHistogramsAlone() {
    return copy(lateHistogramsAlone);
  }

  private static SortedMap<String, Long> copy(SortedMap<String, long[]> sums) {
    SortedMap<String, Long> copy = new TreeMap<>();
    sums.forEach((name, sum) -> copy.put(name, sum[0]));
    return copy;
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

  /** Samples of failed rows or days by reason. */
  public Map<FailReason, List<String>> samples() {
    return samples;
  }
}
