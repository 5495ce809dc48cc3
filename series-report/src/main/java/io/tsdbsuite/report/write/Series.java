package io.tsdbsuite.report.write;

import java.util.SortedMap;

/** One series of a list, with names. */
public final class Series {
  private final String tsuid;
  private final String metric;
  private final SortedMap<String, String> tags;
  private final Long lastReceived;
  private final Long points;
  private final Long created;

  /**
   * States everything.
   *
   * @param tsuid upper-case hex
   * @param metric its name, or UID in hex
   * @param tags names, or UIDs in hex
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

  /** Upper-case hex. */
  public String tsuid() {
    return tsuid;
  }

  /** Its name, or its UID in hex. */
  public String metric() {
    return metric;
  }

  /** Names, or UIDs in hex, by key. */
  public SortedMap<String, String> tags() {
    return tags;
  }

  /** When it was received last, ms since the epoch; null if never tracked. */
  public Long lastReceived() {
    return lastReceived;
  }

  /** The counter: points, or 1 where series are only tracked; null if never tracked. */
  public Long points() {
    return points;
  }

  /** When its TSMeta was made, seconds since the epoch; null without one that can be read. */
  public Long created() {
    return created;
  }
}
