package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * All query results and measurements.
 *
 * @param queries the queries of {@link Query#ALL} over all spans, from the shortest on
 * @param further further queries, by span
 * @param costs what HBase sends, by span of {@code queries}
 * @param limits what was measured over which span
 */
public record BenchmarkResults(
    List<QueryMeasurement> queries,
    List<QueryMeasurement> further,
    Map<QuerySpan, Cost> costs,
    QueryLimits limits) {
  /**
   * What HBase sends for a query of raw data.
   *
   * @param cells cells of compacted rows
   * @param points points of the span, as many as it has single cells
   */
  public record Cost(long cells, long points) {}

  /** Copies the lists and the map. */
  public BenchmarkResults {
    queries = List.copyOf(queries);
    further = List.copyOf(further);
    costs = Map.copyOf(costs);
  }

  /** All queries and further ones. */
  public Stream<QueryMeasurement> all() {
    return Stream.concat(queries.stream(), further.stream());
  }

  /** Number of points that differ between raw data and the plugin's answers. */
  public long differences() {
    return all().mapToLong(QueryMeasurement::differences).sum();
  }

  /** The queries over one span, in the order of {@link Query#ALL}. */
  public List<QueryMeasurement> queries(QuerySpan span) {
    return queries.stream().filter(each -> each.span().equals(span)).toList();
  }

  /** The measurements of one query, from the shortest span on. */
  public List<QueryMeasurement> queries(Query query) {
    return queries.stream().filter(each -> each.query().equals(query)).toList();
  }

  /** The spans, from the shortest on. */
  public List<QuerySpan> spans() {
    return queries.stream().map(QueryMeasurement::span).distinct().toList();
  }

  /** All days of the data of bulk-loader. */
  public QuerySpan longest() {
    return spans().get(spans().size() - 1);
  }

  /** What HBase sends for a query of raw data. */
  public Cost cost(QueryMeasurement query) {
    return Objects.requireNonNull(costs.get(query.span()), query.span().text());
  }

  /**
   * The median time from a source, milliseconds. Of single cells that were not measured it is the
   * time per cell of the longest span that was, times the cells.
   */
  public double millis(QueryMeasurement query, QuerySource source) {
    if (query.has(source)) {
      return query.runs(source).median();
    }
    QueryMeasurement measured =
        queries(query.query()).stream()
            .filter(each -> each.has(source))
            .reduce((shorter, longer) -> longer)
            .orElseThrow();
    return measured.runs(source).median() / cost(measured).points() * cost(query).points();
  }

  /** The speedup of the plugin over another source. */
  public double ratio(QueryMeasurement query, QuerySource raw) {
    return millis(query, raw) / millis(query, QuerySource.PLUGIN);
  }

  /**
   * The smallest speedup over compacted rows among the queries over a span.
   *
   * @param interval the interval of the rollups, for example {@code 1d}
   * @return empty if there is no such query
   */
  public OptionalDouble smallestRatio(QuerySpan span, String interval) {
    return queries(span).stream()
        .filter(each -> each.query().interval().equals(interval))
        .mapToDouble(each -> ratio(each, QuerySource.RAW_COMPACTED))
        .min();
  }

  /**
   * The published speedup of rollups of 1d over raw data, the aim of {@link #smallestRatio}; empty
   * for spans that have none.
   */
  public static OptionalDouble aim(QuerySpan span) {
    return switch (span.days()) {
      case 365 -> OptionalDouble.of(500);
      case 30 -> OptionalDouble.of(60);
      default -> OptionalDouble.empty();
    };
  }
}
