package io.tsdbsuite.trigger.event;

import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;

/** The meaning of an object for the trigger. */
public sealed interface Route {
  /**
   * The exporter's marker: both snapshots should be complete.
   *
   * @param place the marker
   * @param date the date in its name
   */
  record MarkerWritten(S3Location place, LocalDate date) implements Route {}

  /**
   * A file of one snapshot: the night's snapshots may be complete now.
   *
   * @param date the date in the snapshot's name
   */
  record SnapshotWritten(LocalDate date) implements Route {}

  /**
   * An object that is not relevant.
   *
   * @param why the reason, for the log
   */
  record None(String why) implements Route {}
}
