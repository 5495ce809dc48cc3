package io.tsdbsuite.coverage;

/**
 * Hours of a metric whose rollups may not show all raw points: the cells of a row {@code mask/...}
 * of the coverage table that have one kind and one end, of named series or of all
 * (docs/coverage.md). Immutable.
 */
public final class CoverageMask {
  /** {@link #metric()} of a mask of all metrics. */
  public static final String ALL_METRICS = "*";

  /** What has happened. */
  public enum Kind {
    /** Raw points were stored after the end of their hour. */
    LATE("late"),
    /** A message with rollups, or a request for them, was not carried out. */
    LOST("lost");

    private final String code;

    Kind(String code) {
      this.code = code;
    }

    /** The beginning of the columns. */
    public String code() {
      return code;
    }
  }

  private final long from;
  private final long to;
  private final String metric;
  private final Kind kind;
  private final int series;
  private final long time;

  CoverageMask(long from, long to, String metric, Kind kind, int series, long time) {
    this.from = from;
    this.to = to;
    this.metric = metric;
    this.kind = kind;
    this.series = series;
    this.time = time;
  }

  /** This mask without the hours before a time, seconds since the epoch; {@link #to} is later. */
  CoverageMask from(long time) {
    return time <= from ? this : new CoverageMask(time, to, metric, kind, series, this.time);
  }

  /** Start of the first hour, seconds since the epoch. */
  public long from() {
    return from;
  }

  /** End of the last hour, seconds since the epoch, exclusive. */
  public long to() {
    return to;
  }

  /** Name of the metric, or {@link #ALL_METRICS}. */
  public String metric() {
    return metric;
  }

  /** What has happened. */
  public Kind kind() {
    return kind;
  }

  /** How many series it names, 0: all. It voids all series of the metric. */
  public int series() {
    return series;
  }

  /** When it was written last, by HBase's clock, milliseconds since the epoch. */
  public long time() {
    return time;
  }

  /**
   * Which readings show what the mask stands for: those as of a later time than this, milliseconds
   * since the epoch.
   */
  public long shownAfter() {
    return time + Coverage.CLOCK_SKEW;
  }
}
