package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.schema.StorageSchema;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of {@code rollup-job tiers undo}.
 *
 * @param from the first day whose raw data come back, seconds since the epoch
 * @param match the pattern of the one entry that is undone; null for all
 * @param hfileDir directory of the applies
 * @param root URI of the root of the snapshots, with its scheme; read-only
 * @param coverageTable name of the coverage table
 */
public record UndoOptions(
    long from,
    @Nullable String match,
    String hfileDir,
    String root,
    StorageSchema schema,
    String coverageTable) {}
