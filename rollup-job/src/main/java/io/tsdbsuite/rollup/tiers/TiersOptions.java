package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of {@code rollup-job tiers plan}.
 *
 * @param root URI of the root of the snapshots, with its scheme; read-only
 * @param dataSnapshot of the data table
 * @param uidSnapshot of the UID table
 * @param rollupSnapshots of rollup tables, and of tables of histograms, in any order
 * @param codecs of histograms
 * @param skipFlush whether a snapshot may lack the memstores of region servers
 * @param price of 10^9 bytes of HFiles for a month, with all replicas; null if unknown
 * @param top how many metrics are shown by name, those with the most bytes
 */
public record TiersOptions(
    Policy policy,
    String root,
    String dataSnapshot,
    String uidSnapshot,
    List<String> rollupSnapshots,
    StorageSchema schema,
    RollupConfig rollups,
    HistogramCodecs codecs,
    boolean skipFlush,
    @Nullable Double price,
    int top) {}
