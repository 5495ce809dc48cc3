package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.input.Window;
import org.jspecify.annotations.Nullable;

/**
 * What is packed.
 *
 * @param level of the packed table
 * @param window whose rows are packed
 * @param root HBase root or target of ExportSnapshot, of both snapshots
 * @param packedSnapshot name of the snapshot of the packed table
 * @param plainSnapshot name of that of the plain table, which was taken later
 * @param hfileDir of all runs; null if nothing is written
 * @param coverageTable that must exist; null for the usual one, if it exists
 * @param deleteCorrupt whether parts that cannot be read are deleted
 */
public record PackOptions(
    StorageSchema schema,
    RollupConfig rollups,
    Level level,
    Window window,
    String root,
    String packedSnapshot,
    String plainSnapshot,
    @Nullable String hfileDir,
    @Nullable String coverageTable,
    boolean deleteCorrupt) {
  RollupInterval interval() {
    return level.interval();
  }
}
