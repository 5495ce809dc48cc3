package io.tsdbsuite.coverage;

import io.tsdbsuite.format.metric.MetricPatterns;
import java.util.Arrays;

/**
 * A window of time whose rollups are proven to be stored; a row {@code window/...} of the coverage
 * table (docs/coverage.md). Holds values only: {@link CoverageRows} and {@link CoverageReader}
 * check them. Immutable.
 */
public final class CoverageWindow {
  /** {@link #since()} of a window that is no refresh. */
  public static final long NO_REFRESH = Long.MIN_VALUE;

  /** {@link #expires()} of a window whose rollups HBase keeps. */
  public static final long NEVER = Long.MAX_VALUE;

  private final String interval;
  private final long from;
  private final long to;
  private final String writer;
  private final String table;
  private final long asOf;
  private final String metrics;
  private final String evidence;
  private final long full;
  private final long since;
  private final long expires;
  private final MetricPatterns patterns;

  private CoverageWindow(
      String interval,
      long from,
      long to,
      String writer,
      String table,
      long asOf,
      String metrics,
      String evidence,
      long full,
      long since,
      long expires) {
    this.interval = interval;
    this.from = from;
    this.to = to;
    this.writer = writer;
    this.table = table;
    this.asOf = asOf;
    this.metrics = metrics;
    this.evidence = evidence;
    this.full = full;
    this.since = since;
    this.expires = expires;
    this.patterns = MetricPatterns.of(Arrays.asList(metrics.split(",", -1)));
  }

  /**
   * A window of which every rollup is stored.
   *
   * @param interval {@link #interval()}
   * @param from first time, seconds since the epoch, inclusive
   * @param to end, seconds since the epoch, exclusive
   * @param writer who has written it: the part of the row key that tells windows of one time apart
   * @param table the rollup table, as rollup_config.json writes it
   * @param asOf when the raw data were read: every rollup shows all points that were stored by
   *     then, milliseconds since the epoch
   * @param metrics the selected metrics: patterns of {@link MetricPatterns}, separated by commas;
   *     {@code *} for all
   * @param evidence which report has proven it, for people
   */
  public static CoverageWindow of(
      String interval,
      long from,
      long to,
      String writer,
      String table,
      long asOf,
      String metrics,
      String evidence) {
    return new CoverageWindow(
        interval,
        from,
        to,
        writer,
        CoverageRows.tableName(table),
        asOf,
        metrics,
        evidence,
        asOf,
        NO_REFRESH,
        NEVER);
  }

  /**
   * A copy that proves nothing alone, and has no row: in the window all rows that changed from
   * {@code since} on were rolled up again. It raises the {@code asOf} of windows.
   *
   * @param since milliseconds since the epoch
   */
  public CoverageWindow refreshing(long since) {
    return new CoverageWindow(
        interval, from, to, writer, table, asOf, metrics, evidence, full, since, expires);
  }

  /**
   * A copy whose rollups HBase removes at a time, because their table has a TTL.
   *
   * @param expires milliseconds since the epoch
   */
  public CoverageWindow expiring(long expires) {
    return new CoverageWindow(
        interval, from, to, writer, table, asOf, metrics, evidence, full, since, expires);
  }

  /**
   * A copy of a part.
   *
   * @param writer another one, because windows of one time need different ones
   * @param from first time, seconds since the epoch, inclusive
   * @param to end, seconds since the epoch, exclusive
   * @param metrics as of {@link #of}
   */
  public CoverageWindow part(String writer, long from, long to, String metrics) {
    return new CoverageWindow(
        interval, from, to, writer, table, asOf, metrics, evidence, full, since, expires);
  }

  /**
   * A copy in which the rows that have changed were rolled up again.
   *
   * @param asOf of the later reading, milliseconds since the epoch
   * @param evidence of it
   */
  public CoverageWindow raised(long asOf, String evidence) {
    return new CoverageWindow(
        interval, from, to, writer, table, asOf, metrics, evidence, full, since, expires);
  }

  /**
   * A copy all of whose rows, changed or not, were rolled up as of an earlier time.
   *
   * @param full milliseconds since the epoch
   */
  public CoverageWindow full(long full) {
    return new CoverageWindow(
        interval, from, to, writer, table, asOf, metrics, evidence, full, since, expires);
  }

  /** Whether a window may be of a metric that others select, too. */
  public boolean mayShare(MetricPatterns others) {
    return patterns.mayShare(others);
  }

  /**
   * Whether this window says all that another one says: that lies wholly inside, is not newer, and
   * selects the same metrics or fewer.
   */
  public boolean says(CoverageWindow other) {
    return interval.equals(other.interval)
        && table.equals(other.table)
        && from <= other.from
        && other.to <= to
        && other.asOf <= asOf
        && other.full <= full
        && other.expires <= expires
        && (metrics.equals(other.metrics) || metrics.equals("*"));
  }

  /**
   * The level of the rollups: their interval as rollup_config.json writes it, of sum, min, max and
   * count; with a dot and a name, {@code 1h.p99}, of what else is stored (docs/coverage.md).
   */
  public String interval() {
    return interval;
  }

  /** First time, seconds since the epoch, inclusive. */
  public long from() {
    return from;
  }

  /** End, seconds since the epoch, exclusive. */
  public long to() {
    return to;
  }

  /** Who has written it. */
  public String writer() {
    return writer;
  }

  /** The rollup table, without the namespace {@code default}. */
  public String table() {
    return table;
  }

  /** When the raw data were read, milliseconds since the epoch. */
  public long asOf() {
    return asOf;
  }

  /**
   * When all rows were rolled up last, not only those that had changed, milliseconds since the
   * epoch; at most {@link #asOf}.
   */
  public long fullAsOf() {
    return full;
  }

  /** As of when the rollups show what a mask of a kind stands for: what is lost has not changed. */
  public long asOf(CoverageMask.Kind kind) {
    return kind == CoverageMask.Kind.LOST ? full : asOf;
  }

  /** The selected metrics, as they stand in the table. */
  public String metrics() {
    return metrics;
  }

  /** Which report has proven it. */
  public String evidence() {
    return evidence;
  }

  /** Whether it is a refresh, which proves nothing alone. */
  public boolean isRefresh() {
    return since != NO_REFRESH;
  }

  /** From when on a refresh has found all changes, milliseconds; {@link #NO_REFRESH} otherwise. */
  public long since() {
    return since;
  }

  /** When HBase removes the rollups, milliseconds since the epoch; {@link #NEVER} otherwise. */
  public long expires() {
    return expires;
  }

  /** Whether a metric is selected. */
  public boolean wants(String metric) {
    return patterns.wants(metric);
  }

  @Override
  public String toString() {
    return CoverageRows.windowRow(interval, from, writer) + " to " + to + " of " + metrics;
  }
}
