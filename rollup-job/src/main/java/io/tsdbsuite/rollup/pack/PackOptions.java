package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.Window;
import java.time.Instant;
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

  /**
   * These, without the times below a floor: what is left of them may be deleted while it is
   * compared, and no query reads it.
   *
   * @param floor where a row begins, seconds since the epoch; 0 for none
   * @throws JobException usage, when no time is left
   */
  PackOptions above(long floor) {
    if (floor <= window.from()) {
      return this;
    }
    if (floor >= window.to()) {
      throw JobException.usage(
          "--to must be after the floor of %s, below which rows may be gone: %s, found %s"
              .formatted(
                  interval().interval(),
                  Instant.ofEpochSecond(floor),
                  Instant.ofEpochSecond(window.to())));
    }
    return new PackOptions(
        schema,
        rollups,
        level,
        new Window(floor, window.to()),
        root,
        packedSnapshot,
        plainSnapshot,
        hfileDir,
        coverageTable,
        deleteCorrupt);
  }
}
