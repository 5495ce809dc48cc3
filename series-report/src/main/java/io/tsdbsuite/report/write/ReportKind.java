package io.tsdbsuite.report.write;

/** Name, time and grouping of a report, for its header. */
public final class ReportKind {
  private final String name;
  private final long now;
  private final String groupBy;

  /**
   * Creates the header's data.
   *
   * @param name {@code idle} or {@code stopped}
   * @param now the time of the report, ms since the epoch
   * @param groupBy {@code metric} or a tag key; null for a list of series
   */
  public ReportKind(String name, long now, String groupBy) {
    this.name = name;
    this.now = now;
    this.groupBy = groupBy;
  }

  /** {@code idle} or {@code stopped}. */
  public String name() {
    return name;
  }

  /** The time of the report, ms since the epoch. */
  public long now() {
    return now;
  }

  /** {@code metric} or a tag key; null for a list of series. */
  public String groupBy() {
    return groupBy;
  }
}
