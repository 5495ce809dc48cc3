package io.tsdbsuite.rollup.spark;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.sink.SinkException;

/** Translates exceptions of sinks and storage into exit codes. */
public final class WorkFailures {
  private WorkFailures() {}

  /**
   * Returns the exception to throw: usage, when a retry would fail in the same way, also because of
   * a dead token or a missing right; otherwise outside.
   *
   * @param e a {@link SinkException}, or an exception of reading a snapshot
   */
  public static JobException of(Exception e) {
    if (e instanceof SinkException.Fatal fatal) {
      return JobException.usage(fatal.getMessage(), fatal);
    }
    String access = e instanceof SinkException ? null : AccessFailures.reason(e);
    if (access != null) {
      return JobException.usage(
          "a file may not be read or written with these credentials: " + access, e);
    }
    return JobException.outside(
        e instanceof SinkException sink ? sink.getMessage() : StorageFailures.describe(e), e);
  }
}
