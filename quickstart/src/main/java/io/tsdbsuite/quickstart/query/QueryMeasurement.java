package io.tsdbsuite.quickstart.query;

import java.util.Map;
import java.util.Objects;

/**
 * One query run over all sources.
 *
 * @param query the query
 * @param answers answers for all series together, by source
 * @param comparisons comparison of each raw answer with the rollups' answer
 * @param bySeries comparison of compacted rows with rollups for each series separately
 * @param timings runs by source
 */
public record QueryMeasurement(
    Query query,
    Map<QuerySource, Answer> answers,
    Map<QuerySource, AnswerComparison> comparisons,
    AnswerComparison bySeries,
    Map<QuerySource, Timings> timings) {
  /** Copies the maps. */
  public QueryMeasurement {
    answers = Map.copyOf(answers);
    comparisons = Map.copyOf(comparisons);
    timings = Map.copyOf(timings);
  }

  /** The speedup of rollups over another source, from the medians. */
  public double ratio(QuerySource raw) {
    return timings(raw).median() / timings(QuerySource.ROLLUPS).median();
  }

  /** The answer of a source. */
  public Answer answer(QuerySource source) {
    return Objects.requireNonNull(answers.get(source), source.text());
  }

  /** The runs of a source. */
  public Timings timings(QuerySource source) {
    return Objects.requireNonNull(timings.get(source), source.text());
  }

  /** The largest relative difference of two compared points. */
  public double maxRelativeDifference() {
    return comparisons.values().stream()
        .mapToDouble(AnswerComparison::maxRelativeDifference)
        .reduce(bySeries.maxRelativeDifference(), Math::max);
  }

  /** The number of different, missing and extra points. */
  public long differences() {
    return comparisons.values().stream().mapToLong(a -> a.differences().size()).sum()
        + bySeries.differences().size();
  }

  /** The number of compared points. */
  public long compared() {
    return comparisons.values().stream().mapToLong(AnswerComparison::points).sum()
        + bySeries.points();
  }
}
