package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.rollup.sink.SinkException;
import org.jspecify.annotations.Nullable;

/** Provides the regions and the family of rollup tables; used on the driver only. */
public interface TargetSource {
  /**
   * Returns the table in its current state, or its state at the snapshot.
   *
   * @throws SinkException fatal, when the table does not exist or is not writable; retryable, when
   *     HBase or storage fails
   */
  TargetTable table(String name) throws SinkException;

  /**
   * Returns the id of the HBase cluster with the tables; null for snapshots, which do not contain
   * the cluster id.
   *
   * @throws SinkException retryable, when HBase fails
   */
  default @Nullable String cluster() throws SinkException {
    return null;
  }
}
