package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.sink.SinkException;

/** Sorts what sinks and storage throw during the work into what may be done next. */
final class WorkFailures {
  private WorkFailures() {}

  /**
   * The exception to throw: usage, when the sink would fail again in the same way; else outside.
   *
   * @param e a {@link SinkException}, or what reading a snapshot has thrown
   */
  static JobException of(Exception e) {
    if (e instanceof SinkException.Fatal) {
      return JobException.usage(e.getMessage(), e);
    }
    return JobException.outside(
        e instanceof SinkException ? e.getMessage() : StorageFailures.describe(e), e);
  }
}
