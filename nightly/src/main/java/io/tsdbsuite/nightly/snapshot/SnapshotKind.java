package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** The nights of snapshots: a night counts if it has both. */
  List<NightSnapshots> nights(Collection<FoundSnapshot> snapshots) {
    Map<String, FoundSnapshot> uids = new HashMap<>();
    snapshots.stream()
        .filter(one -> one.table().equals(uidTable))
        .forEach(one -> uids.put(one.name(), one));
    List<NightSnapshots> nights = new ArrayList<>();
    for (FoundSnapshot data : snapshots) {
      if (data.table().equals(dataTable)) {
        pattern
            .date(dataTable, data.name())
            .map(this::night)
            .ifPresent(
                night -> {
                  FoundSnapshot uid = uids.get(night.uidSnapshot());
                  if (uid != null) {
                    SnapshotTimes times =
                        new SnapshotTimes(data.created(), uid.created(), DAYS_BEFORE);
                    nights.add(new NightSnapshots(night, times));
                  }
                });
      }
    }
    return List.copyOf(nights);
  }
}
