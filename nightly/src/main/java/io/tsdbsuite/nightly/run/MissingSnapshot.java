package io.tsdbsuite.nightly.run;

import io.tsdbsuite.planner.night.NightSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Why no snapshot holds a day that is due. */
final class MissingSnapshot {
  private MissingSnapshot() {}

  /**
   * The time of a date from which on its snapshots are taken, UTC: midnight and the hold-back,
   * without the whole days of the hold-back. An earlier snapshot lacks the day before, and its name
   * would be taken until midnight.
   */
  static Instant takenFrom(LocalDate date, Duration holdBack) {
    return date.atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .plus(holdBack.minusDays(holdBack.toDays()));
  }

  /**
   * The reason, by the snapshots that are there.
   *
   * @param readable the time from which on a snapshot holds the day
   * @param date the date of the snapshots of this run, UTC
   * @param nights the snapshots that the job can read
   * @return empty if there is no snapshot of this date, and none of the future
   */
  static Optional<String> why(
      Instant readable, LocalDate date, List<NightSnapshots> nights, Instant now) {
    for (NightSnapshots night : nights) {
      Instant taken = night.times().data();
      String name = night.night().dataSnapshot();
      if (night.night().date().equals(date) && taken.isBefore(readable)) {
        return Optional.of(
            ("%s was taken too early, %s: delete it and run again, or wait for that of the"
                    + " next date")
                .formatted(name, taken));
      }
      if (taken.isAfter(now)) {
        return Optional.of(
            ("%s was taken in the future, %s: compare the clocks of this machine, %s, and of"
                    + " HBase's master")
                .formatted(name, taken, now));
      }
    }
    return Optional.empty();
  }
}
