package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.Serializable;

/**
 * A permanent failure of a task. It is a result, not an exception, because Spark would retry an
 * exception.
 *
 * @param units whose files the message is about, perhaps none
 */
record PermanentFailure(ExitCode exitCode, String message, int[] units) implements Serializable {
  /** Throws retryable failures and defects (with their stack trace); returns all others. */
  static PermanentFailure of(JobException failure) {
    if (failure.exitCode() == ExitCode.OUTSIDE || failure.exitCode() == ExitCode.DEFECT) {
      throw failure;
    }
    return new PermanentFailure(
        failure.exitCode(), String.valueOf(failure.getMessage()), new int[0]);
  }

  /** The failure to throw on the driver. */
  JobException exception(LoadInput input) {
    String where = UnitCodec.files(input, units);
    String text = where.isEmpty() ? message : message + " in " + where;
    return switch (exitCode) {
      case USAGE -> JobException.usage(text);
      case BAD_INPUT -> JobException.badInput(text);
      default ->
          throw new IllegalStateException(
              "no permanent failure ends with " + exitCode + ": " + text);
    };
  }
}
