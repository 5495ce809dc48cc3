package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.OptionalDouble;

/**
 * All query results and measurements.
 *
 * @param from first second of the data of bulk-loader, since the epoch
 * @param to last second, exclusive
 * @param queries the queries, by range
 * @param further further queries, by range
 */
public record BenchmarkResults(
    long from, long to, List<QueryResult> queries, List<FurtherResult> further) {
  /** Published speedup of rollups over raw data: the aim for 30 days of compacted rows. */
  public static final double AIM_MONTH = 60;

  /** The aim for a year of compacted rows, where the TSD reads rollups of 1d. */
  public static final double AIM_YEAR = 500;

  private static final int YEAR_DAYS = 365;
  private static final int MONTH_DAYS = 30;
  private static final String DAILY = "1d";

  /** Copies the lists. */
  public BenchmarkResults {
    queries = List.copyOf(queries);
    further = List.copyOf(further);
  }

  /** Number of points that differ between raw data and the plugin's answers. */
  public long differences() {
    return queries.stream().mapToLong(each -> each.measurement().differences()).sum()
        + further.stream().mapToLong(each -> each.comparison().differences().size()).sum();
  }

  /** The queries of one range, in the order of {@link Query#ALL}. */
  public List<QueryResult> queries(QueryRange range) {
    return queries.stream().filter(each -> each.measurement().range().equals(range)).toList();
  }

  /** The ranges, from the shortest on. */
  public List<QueryRange> ranges() {
    return queries.stream().map(each -> each.measurement().range()).distinct().toList();
  }

  /** The longest range. */
  public QueryRange longest() {
    return ranges().get(ranges().size() - 1);
  }

  /**
   * The smallest speedup over a source among the queries of a range.
   *
   * @param interval the interval of the rollups, for example {@code 1d}
   * @return empty if there is no such query
   */
  public OptionalDouble smallestRatio(QueryRange range, String interval, QuerySource raw) {
    return queries(range).stream()
        .filter(each -> each.measurement().query().interval().equals(interval))
        .mapToDouble(each -> each.ratio(raw))
        .min();
  }

  /** The smallest speedup of 1d over compacted rows in a range. */
  public double daily(QueryRange range) {
    return smallestRatio(range, DAILY, QuerySource.RAW_COMPACTED).orElse(0);
  }

  /** The aim of {@link #daily}; empty for ranges that have none. */
  public static OptionalDouble aim(QueryRange range) {
    return switch (range.days()) {
      case YEAR_DAYS -> OptionalDouble.of(AIM_YEAR);
      case MONTH_DAYS -> OptionalDouble.of(AIM_MONTH);
      default -> OptionalDouble.empty();
    };
  }
}
