package io.tsdbsuite.quickstart.query;

import java.util.Map;

/**
 * One question asked of all sources.
 *
 * @param question the question
 * @param answers all series together, by source
 * @param agreements of each raw answer with that of the rollups
 * @param bySeries the question asked of each series alone, compacted rows against rollups
 * @param timings runs by source
 */
public record Measurement(
    Question question,
    Map<Source, Answer> answers,
    Map<Source, Agreement> agreements,
    Agreement bySeries,
    Map<Source, Timings> timings) {
  /** Copies the maps. */
  public Measurement {
    answers = Map.copyOf(answers);
    agreements = Map.copyOf(agreements);
    timings = Map.copyOf(timings);
  }

  /** How many times faster rollups are than another source, by the medians. */
  public double ratio(Source raw) {
    return timings.get(raw).median() / timings.get(Source.ROLLUPS).median();
  }

  /** The largest relative difference of any two points compared. */
  public double maxRelativeDifference() {
    return agreements.values().stream()
        .mapToDouble(Agreement::maxRelativeDifference)
        .reduce(bySeries.maxRelativeDifference(), Math::max);
  }

  /** How many points differ, are missing, or are too many. */
  public long differences() {
    return agreements.values().stream().mapToLong(a -> a.differences().size()).sum()
        + bySeries.differences().size();
  }

  /** How many points were compared. */
  public long compared() {
    return agreements.values().stream().mapToLong(Agreement::points).sum() + bySeries.points();
  }
}
