package io.tsdbsuite.planner.due;

import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.run.CommandOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Which days the export of one night starts.
 *
 * @param catchUpDays number of days before the night's own that it also starts if they are due
 * @param holdBack time between the end of a day and the snapshot that may be read for it
 * @param allowExpired whether a day is rolled up of which points have expired, but not all
 */
public record NightRule(int catchUpDays, Duration holdBack, boolean allowExpired) {
  /**
   * The rule of runs with these options.
   *
   * @param job further options of the job; a {@code --hold-back} that is no duration, which the job
   *     refuses, counts as none
   */
  public static NightRule of(int catchUpDays, CommandOptions job) {
    long holdBack =
        io.tsdbsuite.format.rollup.Duration.parseSeconds(
                job.option("--hold-back").orElse(DueRule.DEFAULT_HOLD_BACK))
            .orElse(0);
    return new NightRule(catchUpDays, Duration.ofSeconds(holdBack), job.has("--allow-expired"));
  }

  /**
   * The same as a rule of all days. A night whose snapshots are taken more than a day after its own
   * day holds back that much longer.
   */
  DueRule days(SnapshotTimes night, Optional<Duration> ttl) {
    Duration more = Duration.ofDays(night.daysBefore() - 1L);
    return new DueRule(
        night.day().minusDays(catchUpDays),
        holdBack.compareTo(more) < 0 ? more : holdBack,
        ttl,
        allowExpired);
  }
}
