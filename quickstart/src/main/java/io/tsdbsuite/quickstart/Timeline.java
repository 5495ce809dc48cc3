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
 * @param liveFrom start of the data that the TSD writes itself: the hour before the current one
 * @param now end of the data, exclusive, a multiple of ten seconds
 */
record Timeline(long from, long compareTo, long rollupTo, long liveFrom, long now) {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int STEP = 10;

  /**
   * The times of a run that begins now.
   *
   * @param begin start of the run
   * @param delaySla the greatest delay of rollups, an hour or more
   * @param days whole days to compare, 1 or more
   */
  static Timeline at(Instant begin, Duration delaySla, int days) {
    long now = begin.getEpochSecond() - begin.getEpochSecond() % STEP;
    long split = now - delaySla.toSeconds();
    long rollupTo = split - split % HOUR;
    long compareTo = rollupTo - rollupTo % DAY;
    long liveFrom = now - now % HOUR - HOUR;
    return new Timeline(
        compareTo - (long) days * DAY,
        compareTo,
        rollupTo,
        // An hour that still receives points must not be rolled up.
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
