package io.tsdbsuite.quickstart.query;

/**
 * One question asked of raw data and of rollups.
 *
 * @param question the question
 * @param raw the answer from raw data, all series together
 * @param rollup the answer from rollups, all series together
 * @param agreement of the two
 * @param bySeries the same question for each series alone, compared
 * @param rawTime runs on raw data
 * @param rollupTime runs on rollups
 */
public record Measurement(
    Question question,
    Answer raw,
    Answer rollup,
    Agreement agreement,
    Agreement bySeries,
    Timings rawTime,
    Timings rollupTime) {
  /** How many times faster rollups are, by the medians. */
  public double ratio() {
    return rawTime.median() / rollupTime.median();
  }

  /** Whether all answers are equal and not empty. */
  public boolean equal() {
    return agreement.points() > 0
        && agreement.differences().isEmpty()
        && bySeries.differences().isEmpty();
  }
}
