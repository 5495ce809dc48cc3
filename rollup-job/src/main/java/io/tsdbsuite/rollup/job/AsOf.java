package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.time.Instant;

/**
 * The time that a run's rollups are said to be of. Of two rollups of one series and interval the
 * one of the later time holds, in whatever order they are stored.
 */
public enum AsOf {
  /** When the data snapshot was taken: what it has was true then. */
  SNAPSHOT,

  /**
   * When the run began: its rollups replace all that was stored or deleted before, also by hand
   * after the snapshot was taken.
   */
  NOW;

  /**
   * The time for a run.
   *
   * @param data the snapshot that it reads
   * @param started when it began; of a run that goes on with another one, when the first one began
   */
  Instant time(Snapshot data, Instant started) {
    return switch (this) {
      case SNAPSHOT -> Instant.ofEpochMilli(data.creationTime());
      case NOW -> started;
    };
  }
}
