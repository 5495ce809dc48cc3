package io.tsdbsuite.planner.night;

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

  /** The day to roll up, UTC. */
  public LocalDate day() {
    return LocalDate.ofInstant(data, ZoneOffset.UTC).minusDays(daysBefore);
  }
}
