package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of {@code rollup-job tiers prove}.
 *
 * @param tiers the policy and the snapshots, those of rollup tables by {@code --against-snapshot}
 * @param intervals all that the configuration has and rollup-job makes
 * @param maxDays the most days of each table that are compared; 0: only lists them
 * @param table the one table to prove, {@code raw} or an interval that the policy limits; null for
 *     all
 * @param day the one day to prove, in days since the epoch; null for all
 * @param maxFailedRows the most rows of a day that may fail
 * @param anyBucket whether the rows of all salt buckets are merged
 * @param partitionBytes approximate limit of the compressed bytes that one task reads
 * @param version of rollup-job
 */
public record ProveOptions(
    TiersOptions tiers,
    RollupIntervals intervals,
    int maxDays,
    @Nullable String table,
    @Nullable Integer day,
    long maxFailedRows,
    boolean anyBucket,
    long partitionBytes,
    String version) {
  /**
   * The intervals that are compared with a table, the narrowest first: those that can be made of
   * it, which a policy keeps longer.
   *
   * @param table {@code raw}, or an interval
   */
  List<RollupInterval> wider(String table) {
    RollupInterval of = tiers.rollups().interval(table);
    return intervals.all().stream()
        .filter(
            each ->
                of == null || (each.seconds() > of.seconds() && each.seconds() % of.seconds() == 0))
        .toList();
  }
}
