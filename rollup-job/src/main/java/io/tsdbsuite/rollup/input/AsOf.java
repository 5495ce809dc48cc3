package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.time.Instant;

/**
 * The timestamp that a run gives its rollups. Of two rollups of one series and interval, the one
 * with the later timestamp wins; the order in which they are stored does not matter.
 */
public enum AsOf {
  /** The creation time of the data snapshot. */
  SNAPSHOT,

  /**
   * The start of the run: its rollups replace everything stored or deleted before, including manual
   * changes made after the snapshot was taken.
   */
  NOW;

  /**
   * Returns the timestamp for a run.
   *
   * @param data the snapshot that the run reads
   * @param started the start of the run; for a resumed run, the start of the first run
   */
  public Instant time(Snapshot data, Instant started) {
    return switch (this) {
      case SNAPSHOT -> Instant.ofEpochMilli(data.creationTime());
      case NOW -> started;
    };
  }
}
