package io.tsdbsuite.bench.stream;

/**
 * The sizes of a run.
 *
 * @param series number of series
 * @param period time between two points of a series, seconds
 * @param rounds measured rounds of one point of each series
 * @param dslRounds the same for the DSL
 * @param burstSeries number of series of the part burst
 * @param rate points per second while a killed job catches up
 * @param dslRate the same for the DSL
 * @param killAfter time from a checkpoint to the kill, seconds
 * @param heap maximum heap of a job, for example 4g
 */
record Sizes(
    int series,
    int period,
    int rounds,
    int dslRounds,
    int burstSeries,
    int rate,
    int dslRate,
    int killAfter,
    String heap) {
  /** Slack of stream-rollup and grace of the DSL, seconds. */
  static final int SLACK = 120;
}
