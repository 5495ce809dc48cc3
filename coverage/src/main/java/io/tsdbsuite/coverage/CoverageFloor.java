package io.tsdbsuite.coverage;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.Level;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;

/**
 * Until when data of metrics may be gone from a table: {@code rollup-job tiers} deletes rows that
 * begin before the floor, after it has proven that wider rollups have them. Whoever reads the table
 * must not take absent data below it for data that never were (docs/coverage.md). Immutable.
 */
public final class CoverageFloor implements Serializable {
  private static final long serialVersionUID = 1L;

  /** {@link #level()} of the data table. */
  public static final String RAW = "raw";

  private static final long DAY = 86_400;

  private final String level;
  private final String writer;
  private final long before;
  private final String metrics;
  private final String evidence;
  private final long asOf;
  private final MetricPatterns patterns;

  /**
   * @param level {@link #RAW}, or the interval of a rollup table as rollup_config.json writes it
   * @param writer the part of the row key that distinguishes floors of one level
   * @param before data of rows that begin before it may be gone: a midnight (UTC), seconds since
   *     the epoch
   * @param metrics patterns of {@link MetricPatterns}, separated by commas; {@code *} for all
   * @param evidence what has proven the wider rollups, for people
   * @param asOf when the newest snapshot of this evidence was taken, milliseconds since the epoch
   */
  public CoverageFloor(
      String level, String writer, long before, String metrics, String evidence, long asOf) {
    this.level = level;
    this.writer = writer;
    this.before = before;
    this.metrics = metrics;
    this.evidence = evidence;
    this.asOf = asOf;
    this.patterns = MetricPatterns.of(Arrays.asList(metrics.split(",", -1)));
  }

  /** {@link #RAW}, or the interval of a rollup table. */
  public String level() {
    return level;
  }

  /** The part of the row key that distinguishes floors of one level. */
  public String writer() {
    return writer;
  }

  /** Data of rows that begin before it may be gone, seconds since the epoch. */
  public long before() {
    return before;
  }

  /** Patterns of the metrics, separated by commas. */
  public String metrics() {
    return metrics;
  }

  /** What has proven the wider rollups, for people. */
  public String evidence() {
    return evidence;
  }

  /** When the newest snapshot of the evidence was taken, milliseconds since the epoch. */
  public long asOf() {
    return asOf;
  }

  /** Whether it is of a metric. */
  public boolean wants(String metric) {
    return patterns.wants(metric);
  }

  /** Whether it may be of a metric of a window. */
  boolean mayShare(CoverageWindow window) {
    return window.mayShare(patterns);
  }

  /**
   * Whether it is of a level: that of an interval is of what else the interval's table has, {@code
   * 1h.p99}, and of the copies of its rows, {@code 1h.packed}. Histograms have another table.
   */
  boolean isOf(String other) {
    return level.equals(other)
        || (level.equals(CoverageRows.interval(other)) && !Level.isHistogram(other));
  }

  /**
   * The highest floor of a metric and level, seconds since the epoch; 0 if it has none.
   *
   * @param level {@link #RAW}, or that of a window
   */
  public static long highest(Collection<CoverageFloor> floors, String level, String metric) {
    long highest = 0;
    for (CoverageFloor floor : floors) {
      if (floor.isOf(level) && floor.before > highest && floor.wants(metric)) {
        highest = floor.before;
      }
    }
    return highest;
  }

  /**
   * The midnight (UTC) that no floor is above, seconds since the epoch: a policy keeps all data for
   * a day or longer.
   *
   * @param now milliseconds since the epoch
   */
  public static long highestAt(long now) {
    return (Math.floorDiv(now, DAY * 1000) - 1) * DAY;
  }

  @Override
  public String toString() {
    return CoverageRows.floorRow(level, writer);
  }
}
