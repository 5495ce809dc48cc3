package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Day;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A day of a table and an entry of the policy.
 *
 * @param day the first of its rows, days since the epoch
 * @param end the day after the last
 * @param file name of its proof
 * @param former time of its former proof; {@link Instant#MIN} if there is none
 * @param refused whether there is none because a former run has refused the day
 */
record ProofDay(
    Evidence evidence,
    int day,
    int end,
    Proof.Selection entry,
    String file,
    Instant former,
    boolean refused) {
  static final long DAY = 86400;

  String table() {
    return evidence.table();
  }

  boolean isRaw() {
    return table().equals(Policy.RAW);
  }

  Instant from() {
    return Instant.ofEpochSecond(day * DAY);
  }

  Instant to() {
    return Instant.ofEpochSecond(end * DAY);
  }

  /**
   * Whether a proof is of the same patterns, times to keep and snapshots, read in the same way:
   * {@code tiers apply} requires all of it, but not the number of the entry, nor the same file.
   */
  boolean isOf(Proof proof) {
    Proof.Selection of = proof.policy();
    return of.match().equals(entry.match())
        && of.metrics().equals(entry.metrics())
        && of.keepDays().equals(entry.keepDays())
        && proof.to().equals(to())
        && proof.cluster().equals(evidence.cluster())
        && proof.data().equals(evidence.data())
        && proof.rollups().equals(evidence.rollups())
        && proof.schema().equals(evidence.schema())
        && proof.aggregatorIds().equals(evidence.aggregatorIds())
        && proof.suite().equals(evidence.suite())
        && proof.anyBucket() == evidence.anyBucket();
  }

  Day ended(Outcome outcome, String reason, String of, @Nullable Proof proof) {
    return new Day(
        table(),
        day,
        entry.entry(),
        entry.match(),
        outcome,
        reason,
        of,
        proof == null ? null : ProveReport.Totals.of(proof));
  }
}
