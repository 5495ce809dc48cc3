package io.tsdbsuite.rollup.prune;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The times that a run compares with.
 *
 * @param limit time after which a file is young, ms since the epoch
 * @param recent time after which an export may have written a file and still run, ms since the
 *     epoch; not before {@code limit}
 * @param lastNight newest date that a night can have: tomorrow in UTC, because the name of a
 *     snapshot has the date of any time zone
 */
record PruneTimes(long limit, long recent, LocalDate lastNight) {
  private static final Duration LONGEST_WRITING = Duration.ofDays(1);

  /**
   * The times of a run.
   *
   * @param now its start
   * @param grace age below which nothing is deleted
   */
  static PruneTimes of(Instant now, Duration grace) {
    Duration writing = grace.compareTo(LONGEST_WRITING) < 0 ? grace : LONGEST_WRITING;
    return new PruneTimes(
        now.minus(grace).toEpochMilli(),
        now.minus(writing).toEpochMilli(),
        LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(1));
  }
}
