package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A day of an entry of the policy whose rows of a table go, or the longer time of one row.
 *
 * @param names of the proof's metrics, by UID
 * @param day its rows in the snapshot; null if an earlier apply has loaded all markers
 * @param dir of its markers
 * @param written the manifest of an earlier apply; null if there is none
 * @param loading whether an earlier apply has begun to load the markers
 * @param loaded whether it has ended
 */
record ProvenDay(
    Policy.Entry entry,
    Proof proof,
    SortedMap<Long, String> names,
    @Nullable SnapshotDay day,
    MarkerDir dir,
    @Nullable MarkerManifest written,
    boolean loading,
    boolean loaded) {
  /** For messages. */
  String name() {
    return "%s, %s".formatted(entry.match(), proof.from().toString().substring(0, 10));
  }

  long from() {
    return proof.from().getEpochSecond();
  }

  long to() {
    return proof.to().getEpochSecond();
  }
}
