package io.tsdbsuite.bench.stream;

import java.time.Instant;

/**
 * The time of each round, seconds since the epoch, so that a few rounds are like hours of steady
 * work: the second one lies in a 10m bucket that is complete, and the following ones go on behind
 * its end, where its rollups are written while points are read.
 *
 * @param hour start of an hour in the past, seconds since the epoch
 * @param period time between two points of a series, seconds
 */
record RoundTimes(long hour, int period) {
  /** Slack of stream-rollup and grace of the DSL, seconds. */
  static final int SLACK = 120;

  private static final int MINUTE = 60;
  private static final int HOUR = 3600;

  /** More than a slack before the bucket, which is then complete. */
  private static final int FIRST = 37 * MINUTE;

  private static final int SECOND = 45 * MINUTE;
  private static final int STEADY = 50 * MINUTE + 30;
  private static final int SINGLE = 2;

  /** Ends before the present. */
  static RoundTimes before(Instant now, int period) {
    return new RoundTimes((now.getEpochSecond() / HOUR - 3) * HOUR, period);
  }

  /** Start of a round; the first is 0. */
  long start(int round) {
    return switch (round) {
      case 0 -> hour + FIRST;
      case 1 -> hour + SECOND;
      default -> hour + STEADY + (long) (round - SINGLE) * period;
    };
  }

  /**
   * Number of rounds after which as many points wait for the end of the slack as ever, and rollups
   * are written.
   */
  int steadyFrom() {
    // The rollups of the bucket begin 90 s after STEADY, the first points leave after the slack.
    return SINGLE + (SLACK + period - 1) / period + 1;
  }
}
