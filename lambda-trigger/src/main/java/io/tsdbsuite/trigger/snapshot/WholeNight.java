package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * A night whose snapshots are both complete.
 *
 * @param night names of the snapshots
 * @param data the data table's snapshot
 * @param uid the UID table's snapshot
 * @param daysBefore number of days between the night's day and the data snapshot
 */
public record WholeNight(Night night, WholeSnapshot data, WholeSnapshot uid, int daysBefore) {

  /** Creation times of both snapshots. */
  public SnapshotTimes times() {
    return new SnapshotTimes(data.created(), uid.created(), daysBefore);
  }

  /** The names and times of both snapshots. */
  public NightSnapshots snapshots() {
    return new NightSnapshots(night, times());
  }

  /** The day to roll up, UTC. */
  public LocalDate day() {
    return times().day();
  }

  /** Creation time of the data snapshot. */
  public Instant snapshotTime() {
    return data.created();
  }

  /**
   * Whether the UID snapshot is older than the data snapshot, so that names of new series may be
   * missing.
   */
  public boolean uidIsOlder() {
    return uid.created().isBefore(data.created());
  }

  /**
   * A complete snapshot.
   *
   * @param name its name
   * @param created creation time by HBase
   * @param etags of {@code .snapshotinfo} and {@code data.manifest}
   * @param regions number of regions
   * @param files number of HFiles
   * @param bytes total size of the HFiles with a known size
   * @param ttl of the table when it was taken; empty if its data never expire
   */
  public record WholeSnapshot(
      String name,
      Instant created,
      List<String> etags,
      int regions,
      int files,
      long bytes,
      Optional<Duration> ttl) {}
}
