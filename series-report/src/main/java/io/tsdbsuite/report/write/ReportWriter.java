package io.tsdbsuite.report.write;

import java.io.IOException;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Writes one report of series or of groups, sequentially. Does not close its target. */
public interface ReportWriter {
  /**
   * The header of a report.
   *
   * @param name {@code idle} or {@code stopped}
   * @param now the time of the report, ms since the epoch
   * @param groupBy {@code metric} or a tag key; null for a list of series
   */
  record Kind(String name, long now, @Nullable String groupBy) {}

  /**
   * One series of a list, with resolved names.
   *
   * @param tsuid upper-case hex
   * @param metric name of the metric, or its UID in hex
   * @param tags tag values by key: names, or UIDs in hex
   * @param lastReceived ms since the epoch; null if never tracked
   * @param points the counter: points, or 1 if series are only tracked; null if never tracked
   * @param created creation time of its TSMeta, seconds since the epoch; null without a readable
   *     ts_meta
   */
  record Series(
      String tsuid,
      String metric,
      SortedMap<String, String> tags,
      @Nullable Long lastReceived,
      @Nullable Long points,
      @Nullable Long created) {}

  /**
   * Totals of one group: all series of one metric, or all series with one value of a tag.
   *
   * @param name the metric or the tag's value; null for series without the tag
   * @param matching number of series of the group in the report
   * @param total number of series of the group, including series outside the report
   * @param oldest earliest last received time of the matching series, milliseconds since the epoch,
   *     UTC; null if no matching series is tracked
   * @param newest latest last received time of the matching series, milliseconds since the epoch,
   *     UTC; null if no matching series is tracked
   */
  record Group(
      @Nullable String name,
      long matching,
      long total,
      @Nullable Long oldest,
      @Nullable Long newest) {}

  /** Writes the header. */
  void begin() throws IOException;

  /** Writes a series. */
  void series(Series series) throws IOException;

  /** Writes a group. */
  void group(Group group) throws IOException;

  /**
   * Writes the end.
   *
   * @param leftOff number of matching series or groups that --limit leaves out
   */
  void end(long leftOff) throws IOException;
}
