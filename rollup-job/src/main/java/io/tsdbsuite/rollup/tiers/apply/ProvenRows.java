package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table that a proof names, and that go: of an entry of the policy and a day, or the
 * longer time of one row; or of idle series.
 *
 * @param series null of a day
 * @param names of the proof's metrics, by UID
 * @param rows in the snapshot; null if an earlier apply has loaded all markers
 * @param dir of the markers
 * @param written the manifest of an earlier apply; null if there is none
 * @param loading whether an earlier apply has begun to load the markers
 * @param loaded whether it has ended
 */
record ProvenRows(
    Policy.Entry entry,
    TierTable table,
    Proof proof,
    @Nullable IdleSeries series,
    SortedMap<Long, String> names,
    @Nullable SnapshotRows rows,
    MarkerDir dir,
    @Nullable MarkerManifest written,
    boolean loading,
    boolean loaded) {
  /** For messages. */
  String name() {
    return ProvenName.of(proof).toString();
  }

  long from() {
    return proof.from().getEpochSecond();
  }

  long to() {
    return proof.to().getEpochSecond();
  }
}
