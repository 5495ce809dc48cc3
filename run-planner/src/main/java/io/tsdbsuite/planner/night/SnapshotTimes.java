package io.tsdbsuite.planner.night;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * Creation times of the snapshots of a night, by HBase.
 *
 * @param data of the data table's snapshot
 * @param uid of the UID table's snapshot
 * @param daysBefore number of days between the night's day and the data snapshot
 */
public record SnapshotTimes(Instant data, Instant uid, int daysBefore) {
  /** Allowed difference between the clock here and that of HBase's master. */
  private static final Duration CLOCK_MARGIN = Duration.ofMinutes(5);

  /**
   * Whether a snapshot was taken in the future: the clock of HBase's master is more than 5 minutes
   * ahead.
   *
   * @param created creation time of the snapshot
   * @param now the present
   */
  public static boolean isInFuture(Instant created, Instant now) {
    return created.isAfter(now.plus(CLOCK_MARGIN));
  }

  /** The day to roll up, UTC. */
  public LocalDate day() {
    return LocalDate.ofInstant(data, ZoneOffset.UTC).minusDays(daysBefore);
  }
}
