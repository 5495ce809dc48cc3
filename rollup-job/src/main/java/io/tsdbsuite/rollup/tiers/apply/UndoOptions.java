package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.tiers.Policy;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of {@code rollup-job tiers undo}.
 *
 * @param level whose rows come back: {@link Policy#RAW}, or an interval of rollup_config.json
 * @param from the first day whose rows come back, seconds since the epoch; null for idle series,
 *     which come back to all tables
 * @param match the pattern of the one entry that is undone; null for all
 * @param hfileDir directory of the applies
 * @param root URI of the root of the snapshots, with its scheme; read-only
 * @param codecs of histograms
 * @param coverageTable name of the coverage table
 */
public record UndoOptions(
    String level,
    @Nullable Long from,
    @Nullable String match,
    String hfileDir,
    String root,
    StorageSchema schema,
    RollupConfig rollups,
    HistogramCodecs codecs,
    String coverageTable) {
  /** The table of a level. */
  TierTable table(String of) {
    return TierTable.of(of, schema, rollups, codecs);
  }

  TierTable table() {
    return table(level);
  }
}
