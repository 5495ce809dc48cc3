package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.tiers.Policy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of {@code rollup-job tiers apply}.
 *
 * @param version of rollup-job
 * @param level whose rows go: {@link Policy#RAW}, or an interval of rollup_config.json
 * @param proofs directory of the proofs
 * @param hfileDir directory for the markers, with its file system
 * @param root URI of the root of the snapshots, with its scheme; read-only
 * @param days whole days; rows of a rollup table count for the day in which they begin; null for
 *     idle series, which go from all tables
 * @param codecs of histograms
 * @param coverageTable name of the coverage table
 * @param pause between the floor and the first cell that goes
 * @param match of the only entry of the policy whose rows go; null for all
 */
public record ApplyOptions(
    String version,
    String level,
    Policy policy,
    String proofs,
    String hfileDir,
    String root,
    @Nullable Window days,
    StorageSchema schema,
    RollupConfig rollups,
    HistogramCodecs codecs,
    String coverageTable,
    Duration pause,
    @Nullable String match) {
  /** The table of a level. */
  TierTable table(String of) {
    return TierTable.of(of, schema, rollups, codecs);
  }

  TierTable table() {
    return table(level);
  }
}
