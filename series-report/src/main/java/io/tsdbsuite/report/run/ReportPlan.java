package io.tsdbsuite.report.run;

import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Format;
import java.util.SortedMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Selection and output of a report.
 *
 * @param name {@code idle} or {@code stopped}
 * @param now ms since the epoch
 * @param windows range of last received times, for the reference time of the rows, ms
 * @param metric name or glob of the metric; null for all metrics
 * @param tags tags that a series must have; values are names or globs
 * @param untracked whether to include series without a ts_ctr
 * @param groupBy {@link #METRIC} or a tag key; null for a list of series
 * @param oldestFirst whether to sort by last received time; needs a limit
 * @param limit maximum of series or groups
 * @param format of the report
 */
public record ReportPlan(
    String name,
    long now,
    LongFunction<Window> windows,
    @Nullable String metric,
    SortedMap<String, String> tags,
    boolean untracked,
    @Nullable String groupBy,
    boolean oldestFirst,
    int limit,
    Format format) {
  /** The value of --group-by that is not a tag key. */
  public static final String METRIC = "metric";

  /** The most series or groups without a limit. */
  public static final int NO_LIMIT = Integer.MAX_VALUE;
}
