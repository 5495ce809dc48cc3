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
}
