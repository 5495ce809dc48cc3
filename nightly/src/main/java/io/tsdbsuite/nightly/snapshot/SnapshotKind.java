package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.planner.night.Night;
import java.time.LocalDate;

/**
 * The names of the two snapshots of a night.
 *
 * @param dataTable OpenTSDB's data table, as HBase writes its name
 * @param uidTable OpenTSDB's UID table
 * @param pattern the names
 */
public record SnapshotKind(String dataTable, String uidTable, SnapshotPattern pattern) {
  /** Number of days between the day that a night rolls up and its data snapshot. */
  public static final int DAYS_BEFORE = 1;

  /** The names of a configuration. */
  public static SnapshotKind of(NightlyConfig config) {
    return new SnapshotKind(
        config.place().dataTable(), config.place().uidTable(), config.snapshots().pattern());
  }

  /** The night of a date, UTC. */
  public Night night(LocalDate date) {
    return new Night(date, pattern.name(dataTable, date), pattern.name(uidTable, date));
  }
}
