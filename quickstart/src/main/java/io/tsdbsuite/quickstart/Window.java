package io.tsdbsuite.quickstart;

import java.time.Duration;
import java.time.Instant;

/**
 * The times of one run, seconds since the epoch, UTC.
 *
 * <pre>
 *   from                 compareTo    rollupTo  split       liveFrom   now
 *   |--- whole days -----|--- hours --|---------|-----------|----------|
 *   |   compared, timed  |
 *   |   rolled up by the job          |
 *   |   by bulk-loader: raw, compacted rows                 | by /api/put
 * </pre>
 *
 * @param from start of the data, midnight
 * @param compareTo end of the whole days that are compared, exclusive, midnight
 * @param rollupTo end of the rollups, exclusive: the last hour that is older than the delaySla
 * @param liveFrom start of what the TSD writes itself: the hour before the one that runs
 * @param now end of the data, exclusive, a multiple of ten seconds
 */
record Window(long from, long compareTo, long rollupTo, long liveFrom, long now) {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int STEP = 10;

  /**
   * The times of a run that begins now.
   *
   * @param begin when it begins
   * @param delaySla how late rollups may be, an hour or more
   * @param days whole days to compare, 1 or more
   */
  static Window at(Instant begin, Duration delaySla, int days) {
    long now = begin.getEpochSecond() - begin.getEpochSecond() % STEP;
    long split = now - delaySla.toSeconds();
    long rollupTo = split - split % HOUR;
    long compareTo = rollupTo - rollupTo % DAY;
    long liveFrom = now - now % HOUR - HOUR;
    return new Window(
        compareTo - (long) days * DAY,
        compareTo,
        rollupTo,
        // Rollups must not be made of hours that are still written to.
        Math.max(liveFrom, rollupTo),
        now);
  }

  /** Hours with rollups. */
  long rollupHours() {
    return (rollupTo - from) / HOUR;
  }

  /** Whole days that are compared. */
  int days() {
    return (int) ((compareTo - from) / DAY);
  }
}
