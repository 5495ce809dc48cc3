package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.write.WalMode;
import java.io.Serializable;

/**
 * Settings of writing rows.
 *
 * @param maxRowsPerSecond 0 for no limit
 * @param hfileDir for {@link Mode#HFILE}, else empty
 * @param cellTimestamp now, data or milliseconds since the epoch
 * @param allowUnreplicated whether peers of a replicated table may lack the rows
 * @param create whether unknown names get UIDs
 * @param meta whether rows of tsdb-meta are written
 * @param coverageTable the coverage table, which must exist then; empty for the default one, if it
 *     exists
 */
public record WriteSettings(
    Mode mode,
    WalMode wal,
    long maxRowsPerSecond,
    String hfileDir,
    String cellTimestamp,
    OnConflict onConflict,
    boolean allowActiveHours,
    boolean allowUnreplicated,
    boolean create,
    boolean meta,
    String coverageTable)
    implements Serializable {
  /** Whether a replicated table is refused: the rows are not in HBase's write-ahead log. */
  public boolean needsUnreplicated() {
    return !allowUnreplicated && (mode == Mode.HFILE || wal == WalMode.SKIP);
  }
}
