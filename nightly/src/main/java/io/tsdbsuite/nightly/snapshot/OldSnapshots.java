package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.planner.night.Night;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses the snapshots to delete: those that are older than the nights to keep. Only snapshots of
 * the two tables with names by the pattern are chosen, also those of a night that has lost the
 * other one, and those of rollup tables that are older than all nights that stay. Snapshots that
 * are newer than now are not chosen and do not count.
 *
 * @param rollups beginning of the names of snapshots of rollup tables
 * @param keep number of nights that stay, the newest ones; 1 or more
 * @param needed nights that stay in any case
 */
record OldSnapshots(SnapshotKind kind, String rollups, int keep, Set<Night> needed, Instant now) {
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
    if (oldest.isEmpty()) {
      return List.of();
    }
    // A proof names a snapshot of the data table of its night, and later ones of rollup tables.
    Instant first =
        Stream.concat(oldest.stream(), needed.stream().map(nights::get).filter(Objects::nonNull))
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return all.stream()
        .filter(
            one ->
                one.name().startsWith(rollups)
                    ? one.created().isBefore(first)
                    : isOlder(one, nights, oldest.get()))
        .toList();
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
