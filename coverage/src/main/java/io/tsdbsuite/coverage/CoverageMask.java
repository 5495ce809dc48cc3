package io.tsdbsuite.coverage;

/**
 * An hour of a metric whose rollups do not show all raw points; a row {@code mask/...} of the
 * coverage table (docs/coverage.md). Immutable.
 */
public final class CoverageMask {
  private final long hour;
  private final String metric;
  private final int series;
  private final boolean wholeMetric;
  private final long time;

  CoverageMask(long hour, String metric, int series, boolean wholeMetric, long time) {
    this.hour = hour;
    this.metric = metric;
    this.series = series;
    this.wholeMetric = wholeMetric;
    this.time = time;
  }

  /** Start of the hour, seconds since the epoch. */
  public long hour() {
    return hour;
  }

  /** Name of the metric. */
  public String metric() {
    return metric;
  }

  /** How many series it names; it voids the hour of all series of the metric. */
  public int series() {
    return series;
  }

  /** Whether there were too many series to name, so that the night repairs the hour. */
  public boolean isOfTheNight() {
    return wholeMetric;
  }

  /** When it was written last, by HBase's clock, milliseconds since the epoch. */
  public long time() {
    return time;
  }
}
