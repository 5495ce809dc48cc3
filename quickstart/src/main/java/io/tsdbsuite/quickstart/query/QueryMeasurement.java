package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One query over one span, run over all sources that the TSD can read in one query or in parts.
 *
 * @param runs by source
 * @param stock median of a stock TSD, and what is wrong with its answer; or its error
 * @param comparisons comparisons of other answers with the plugin's
 * @param reading what the plugin has read
 */
public record QueryMeasurement(
    Query query,
    QuerySpan span,
    Map<QuerySource, Runs> runs,
    String stock,
    List<AnswerComparison> comparisons,
    PluginReading reading) {
  /** Copies map and list. */
  public QueryMeasurement {
    runs = Map.copyOf(runs);
    comparisons = List.copyOf(comparisons);
  }

  /** A copy in which the plugin has read so many cells. */
  public QueryMeasurement withCells(long cells) {
    PluginReading counted = new PluginReading(reading.pieces(), cells);
    return new QueryMeasurement(query, span, runs, stock, comparisons, counted);
  }

  /** Whether the source was measured. */
  public boolean has(QuerySource source) {
    return runs.containsKey(source);
  }

  /** The runs of a source that was measured. */
  public Runs runs(QuerySource source) {
    return Objects.requireNonNull(runs.get(source), source.text());
  }

  /** The largest relative difference of two compared points. */
  public double maxRelativeDifference() {
    return comparisons.stream()
        .mapToDouble(AnswerComparison::maxRelativeDifference)
        .max()
        .orElse(0);
  }

  /** The number of different, missing and extra points. */
  public long differences() {
    return comparisons.stream().mapToLong(each -> each.differences().size()).sum();
  }

  /** The number of compared points. */
  public long compared() {
    return comparisons.stream().mapToLong(AnswerComparison::points).sum();
  }
}
