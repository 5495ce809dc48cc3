package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.trigger.night.Night;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * A night of which both snapshots are whole.
 *
 * @param night its names
 * @param data the data table's snapshot
 * @param uid the UID table's snapshot
 * @param daysBefore how many days before the data snapshot the day is that it stands for
 */
public record WholeNight(Night night, WholeSnapshot data, WholeSnapshot uid, int daysBefore) {

  /** The day that is to be rolled up, UTC. */
  public LocalDate day() {
    return LocalDate.ofInstant(data.created(), ZoneOffset.UTC).minusDays(daysBefore);
  }

  /** When the data snapshot was taken. */
  public Instant snapshotTime() {
    return data.created();
  }

  /** Whether the UID table was read before the data: then names of new series may be missing. */
  public boolean uidIsOlder() {
    return uid.created().isBefore(data.created());
  }
}
