package io.tsdbsuite.trigger.event;

import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;

/** What an object means to the trigger. */
public sealed interface Relevance {
  /**
   * The exporter's marker: both snapshots should be whole.
   *
   * @param place the marker
   * @param date of its name
   */
  record MarkerWritten(S3Location place, LocalDate date) implements Relevance {}

  /**
   * A file of one snapshot: perhaps the night is whole now.
   *
   * @param date of the snapshot's name
   */
  record SnapshotWritten(LocalDate date) implements Relevance {}

  /**
   * Nothing.
   *
   * @param why in words
   */
  record None(String why) implements Relevance {}
}
