package io.tsdbsuite.quickstart.query;

import java.util.List;

/**
 * A split query over one range, with one delaySla.
 *
 * @param delaySlaHours age of the split point, hours
 * @param range the range
 * @param series number of series
 * @param hours hours of the range that have data
 * @param timings runs of {@code sum:1h-sum}
 * @param comparisons the answers compared with answers from raw data: sum and max, all series
 *     together and each series
 * @param rollups cells read from the rollup table, all series
 * @param raw cells read from the table of raw points, all series
 */
public record SlaMeasurement(
    int delaySlaHours,
    SlaRange range,
    int series,
    int hours,
    Timings timings,
    List<AnswerComparison> comparisons,
    ScanCost rollups,
    ScanCost raw) {
  private static final int POINTS_PER_HOUR = 360;

  /** Copies the list. */
  public SlaMeasurement {
    comparisons = List.copyOf(comparisons);
  }

  /** Cells read for one series. */
  public double cellsPerSeries() {
    return (double) (rollups.cells() + raw.cells()) / series;
  }

  /**
   * Cells for one series in theory, at a point each ten seconds: a raw cell for each point of the
   * last hours, and a rollup for each hour before.
   */
  public long cellsInTheory() {
    long rawHours = Math.min(hours, delaySlaHours);
    return rawHours * POINTS_PER_HOUR + hours - rawHours;
  }

  /** Number of compared points. */
  public long compared() {
    return comparisons.stream().mapToLong(AnswerComparison::points).sum();
  }

  /** Number of different, missing and extra points. */
  public long differences() {
    return comparisons.stream().mapToLong(each -> each.differences().size()).sum();
  }

  /** The largest relative difference of two compared points. */
  public double maxRelativeDifference() {
    return comparisons.stream()
        .mapToDouble(AnswerComparison::maxRelativeDifference)
        .max()
        .orElse(0);
  }
}
