package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.rollup.sink.SinkException;

/** Says how a rollup table is laid out; used on the driver only. */
public interface TargetSource {
  /**
   * The table as it is now, or was when its snapshot was taken.
   *
   * @throws SinkException fatal, when there is no such table or it cannot be written to; retryable,
   *     when HBase or storage fails
   */
  TargetTable table(String name) throws SinkException;

  /**
   * The id of the HBase cluster that has the tables; null where only snapshots of them are known,
   * which do not say of which cluster they are.
   *
   * @throws SinkException retryable, when HBase fails
   */
  default String cluster() throws SinkException {
    return null;
  }
}
