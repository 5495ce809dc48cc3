package io.tsdbsuite.synthetic.round;

/**
 * Which series there are: metrics load.metric.1, load.metric.2 and so on, each with every
 * combination of the tags tagk1, tagk2 and so on with the values tagv1, tagv2 and so on.
 *
 * @param metrics number of metrics
 * @param tagks number of tags of each series
 * @param tagvs number of values of each tag
 */
public record RoundShape(int metrics, int tagks, int tagvs) {
  /** Series of one metric; {@link Long#MAX_VALUE} when a long does not hold them. */
  public long seriesPerMetric() {
    long series = 1;
    for (int tag = 0; tag < tagks; tag++) {
      series = times(series, tagvs);
    }
    return series;
  }

  /** Series of all metrics; {@link Long#MAX_VALUE} when a long does not hold them. */
  public long series() {
    return times(seriesPerMetric(), metrics);
  }

  private static long times(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }
}
