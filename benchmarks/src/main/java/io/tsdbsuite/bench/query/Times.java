package io.tsdbsuite.bench.query;

/**
 * What is stored, seconds since the epoch. Raw data end now, rollups at the last midnight, as after
 * a nightly run.
 *
 * @param now a whole hour
 */
record Times(long now) {
  static final long HOUR = 3600;
  static final long DAY = 24 * HOUR;

  /** End of the rollups. */
  long midnight() {
    return now - now % DAY;
  }

  /** Begin of the rollups, and of the raw data of few series. */
  long year() {
    return midnight() - 365 * DAY;
  }

  /** Begin of the raw data and of the hours of many series. */
  long month() {
    return midnight() - 30 * DAY;
  }
}
