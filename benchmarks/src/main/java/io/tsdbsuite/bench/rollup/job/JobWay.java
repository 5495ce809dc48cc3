package io.tsdbsuite.bench.rollup.job;

/** Variants that run more and more of the job; differences are the cost of its parts. */
enum JobWay {
  /** Rows are read and rolled up without names; the rollups are discarded. */
  READ,
  /** Rows are read and rolled up with names; the rollups are discarded. */
  NAMES,
  /** Keys and messages are encoded as well, and discarded. */
  ENCODE,
  /** The whole job. */
  KAFKA,
  /** The whole job with rollups of one minute, ten minutes, an hour and a day. */
  INTERVALS,
  /** The stock job with the same messages as {@link #KAFKA}. */
  STOCK
}
