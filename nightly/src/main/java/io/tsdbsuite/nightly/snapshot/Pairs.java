package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes nights of snapshots: a night counts if it has both. */
final class Pairs {
  private Pairs() {}

  static List<NightSnapshots> of(SnapshotKind kind, Collection<FoundSnapshot> snapshots) {
    Map<String, FoundSnapshot> byName = new LinkedHashMap<>();
    snapshots.forEach(snapshot -> byName.put(snapshot.name(), snapshot));
    List<NightSnapshots> nights = new ArrayList<>();
    for (FoundSnapshot data : snapshots) {
      if (!data.table().equals(kind.dataTable())) {
        continue;
      }
      kind.pattern()
          .date(kind.dataTable(), data.name())
          .ifPresent(
              date -> {
                Night night = kind.night(date);
                FoundSnapshot uid = byName.get(night.uidSnapshot());
                if (uid != null && uid.table().equals(kind.uidTable())) {
                  nights.add(
                      new NightSnapshots(
                          night,
                          new SnapshotTimes(
                              data.created(), uid.created(), SnapshotKind.DAYS_BEFORE)));
                }
              });
    }
    return List.copyOf(nights);
  }
}
