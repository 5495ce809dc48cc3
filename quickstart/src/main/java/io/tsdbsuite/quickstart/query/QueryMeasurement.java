package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One query over one range, run over all sources that the TSD can read in one query or in parts.
 *
 * @param query the query
 * @param range the range
 * @param parts number of queries that read compacted rows; their times are added
 * @param bySeries whether {@code comparisons} has one of the answers for each series separately
 * @param answers answers for all series together, by source
 * @param comparisons comparisons of each other answer with the plugin's
 * @param timings runs by source
 * @param reading what the plugin has read
 */
public record QueryMeasurement(
    Query query,
    QueryRange range,
    int parts,
    boolean bySeries,
    Map<QuerySource, Answer> answers,
    List<AnswerComparison> comparisons,
    Map<QuerySource, Timings> timings,
    PluginReading reading) {
  /** Copies maps and list. */
  public QueryMeasurement {
    answers = Map.copyOf(answers);
    comparisons = List.copyOf(comparisons);
    timings = Map.copyOf(timings);
  }

  /** The answer of a source that was measured. */
  public Answer answer(QuerySource source) {
    return Objects.requireNonNull(answers.get(source), source.text());
  }

  /** The runs of a source; null if it was not measured. */
  public @Nullable Timings timings(QuerySource source) {
    return timings.get(source);
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
