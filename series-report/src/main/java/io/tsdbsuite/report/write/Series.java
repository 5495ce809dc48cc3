package io.tsdbsuite.report.write;

import java.util.SortedMap;

/** One series of a list, with resolved names. */
public final class Series {
  private final String tsuid;
  private final String metric;
  private final SortedMap<String, String> tags;
  private final Long lastReceived;
  private final Long points;
  private final Long created;

  /**
   * Creates a series.
   *
   * @param tsuid upper-case hex
   * @param metric name of the metric, or its UID in hex
   * @param tags tag values by key: names, or UIDs in hex
   * @param lastReceived ms since the epoch, null if never tracked
   * @param points the counter, null if never tracked
   * @param created seconds since the epoch, null without a readable ts_meta
   */
  Series(
      String tsuid,
      String metric,
      SortedMap<String, String> tags,
      Long lastReceived,
      Long points,
      Long created) {
    this.tsuid = tsuid;
    this.metric = metric;
    this.tags = tags;
    this.lastReceived = lastReceived;
    this.points = points;
    this.created = created;
  }

  /** The TSUID in upper-case hex. */
  public String tsuid() {
    return tsuid;
  }

  /** Name of the metric, or its UID in hex. */
  public String metric() {
    return metric;
  }

  /** Tag values by key: names, or UIDs in hex. */
  public SortedMap<String, String> tags() {
    return tags;
  }

  /** Last received time, ms since the epoch; null if never tracked. */
  public Long lastReceived() {
    return lastReceived;
  }

  /** The counter: points, or 1 if series are only tracked; null if never tracked. */
  public Long points() {
    return points;
  }

  /** Creation time of its TSMeta, seconds since the epoch; null without a readable ts_meta. */
  public Long created() {
    return created;
  }
}
