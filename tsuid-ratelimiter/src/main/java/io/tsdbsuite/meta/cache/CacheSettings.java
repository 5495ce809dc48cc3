package io.tsdbsuite.meta.cache;

/** Settings of a {@link SeriesCache}; immutable. */
public final class CacheSettings {
  private final long maxSeries;
  private final boolean counting;
  private final int metricWidth;

  /**
   * States everything.
   *
   * @param maxSeries maximum number of series, 1 or more; exceeded by one block for a moment
   * @param counting whether points are counted, 8 bytes per series
   * @param metricWidth bytes of the metric's UID at the start of a TSUID, 1..8
   * @throws IllegalArgumentException when a number is out of its range
   */
  public CacheSettings(long maxSeries, boolean counting, int metricWidth) {
    if (maxSeries < 1 || metricWidth < 1 || metricWidth > Long.BYTES) {
      throw new IllegalArgumentException(
          "maxSeries must be 1 or more, is "
              + maxSeries
              + "; metricWidth must be 1..8, is "
              + metricWidth);
    }
    this.maxSeries = maxSeries;
    this.counting = counting;
    this.metricWidth = metricWidth;
  }

  /** Maximum number of series. */
  public long maxSeries() {
    return maxSeries;
  }

  /** Whether points are counted. */
  public boolean counting() {
    return counting;
  }

  /** Bytes of the metric's UID at the start of a TSUID. */
  public int metricWidth() {
    return metricWidth;
  }
}
