package io.tsdbsuite.bench.rollup.job;

/** How much of the job is done; the differences are what its parts take. */
enum JobWay {
  /** Rows are read and rolled up, and what comes of it is dropped, without names. */
  READ,
  /** The same with names. */
  NAMES,
  /** Keys and messages are made too, and dropped. */
  ENCODE,
  /** The whole job. */
  KAFKA,
  /** The whole job, rollups of a minute, ten, an hour and a day. */
  INTERVALS,
  /** The stock way to the messages of {@link #KAFKA}. */
  STOCK
}
