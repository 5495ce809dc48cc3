package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.planner.night.Night;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the snapshots to delete: those that are older than the nights to keep. Only snapshots of
 * the two tables with names by the pattern are chosen, also those of a night that has lost the
 * other one. Snapshots that are newer than now are not chosen and do not count.
 *
 * @param keep number of nights that stay, the newest ones; 1 or more
 * @param needed nights that stay in any case
 */
record OldSnapshots(SnapshotKind kind, int keep, Set<Night> needed, Instant now) {
  /** The snapshots to delete; none if there are fewer nights than those to keep. */
  List<FoundSnapshot> of(Collection<FoundSnapshot> all) {
    Map<Night, Instant> nights = new HashMap<>();
    kind.nights(all).forEach(night -> nights.put(night.night(), night.times().data()));
    Optional<Instant> oldest =
        nights.values().stream()
            .filter(time -> !time.isAfter(now))
            .sorted(Comparator.reverseOrder())
            .skip(keep - 1L)
            .findFirst();
    return oldest.isEmpty()
        ? List.of()
        : all.stream().filter(one -> isOlder(one, nights, oldest.get())).toList();
  }

  /** A night goes as a whole: its UID snapshot may be older than its data snapshot, or newer. */
  private boolean isOlder(FoundSnapshot one, Map<Night, Instant> nights, Instant oldest) {
    return nightOf(one)
        .filter(night -> !needed.contains(night))
        .filter(night -> nights.getOrDefault(night, one.created()).isBefore(oldest))
        .isPresent();
  }

  private Optional<Night> nightOf(FoundSnapshot snapshot) {
    return snapshot.table().equals(kind.dataTable()) || snapshot.table().equals(kind.uidTable())
        ? kind.pattern().date(snapshot.table(), snapshot.name()).map(kind::night)
        : Optional.empty();
  }
}
