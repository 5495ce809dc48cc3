package io.tsdbsuite.rollup.prune;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;

/**
 * What to delete.
 *
 * @param archive the store files; those that a snapshot to keep names are marked
 * @param snapshots all directories of snapshots
 * @param nights the nights of the tables
 * @param limit time after which a file is young, ms since the epoch
 * @param notWhole dates of nights that stay and are not whole; the rule keeps none of them
 * @param warnings about nights that stay although no rule keeps them, and about snapshots that stay
 *     and are not whole
 */
record PrunePlan(
    Archive archive,
    List<SnapshotDir> snapshots,
    Nights nights,
    long limit,
    Set<LocalDate> notWhole,
    List<String> warnings) {
  /** Whether a file is to be deleted. */
  boolean isDeletable(StoredFile file) {
    return !file.isNamed() && !isYoung(file.modified());
  }

  /** Whether the grace time protects something. */
  boolean isYoung(long modified) {
    return modified > limit;
  }
}
