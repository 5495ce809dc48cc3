package io.tsdbsuite.report.write;

/** Totals of one group: all series of a metric, or with one value of a tag. */
public final class Group {
  private final String name;
  private final long matching;
  private final long total;
  private final Long oldest;
  private final Long newest;

  /**
   * Creates a group.
   *
   * @param name the metric or the tag's value; null for series without the tag
   * @param matching series in the report
   * @param total series of the group, in the report or not
   * @param oldest oldest last received time of the matching series, ms since the epoch; null if
   *     none is tracked
   * @param newest newest last received time of the matching series, ms since the epoch; null if
   *     none is tracked
   */
  public Group(String name, long matching, long total, Long oldest, Long newest) {
    this.name = name;
    this.matching = matching;
    this.total = total;
    this.oldest = oldest;
    this.newest = newest;
  }

  /** The metric or the tag's value; null for series without the tag. */
  public String name() {
    return name;
  }

  /** Series in the report. */
  public long matching() {
    return matching;
  }

  /** Series of the group, in the report or not. */
  public long total() {
    return total;
  }

  /**
   * Oldest last received time of the matching series, ms since the epoch; null if none is tracked.
   */
  public Long oldest() {
    return oldest;
  }

  /**
   * Newest last received time of the matching series, ms since the epoch; null if none is tracked.
   */
  public Long newest() {
    return newest;
  }
}
