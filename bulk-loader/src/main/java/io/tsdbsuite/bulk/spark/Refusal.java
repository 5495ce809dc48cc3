package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.Serializable;

/**
 * A failure that comes again whenever the task runs again: it is an answer of the task, not an
 * exception, or Spark would try it four times.
 *
 * @param units whose files the message is about, perhaps none
 */
record Refusal(ExitCode exitCode, String message, int[] units) implements Serializable {
  /** Throws what is worth another try, and defects, whose stack is kept so; keeps the rest. */
  static Refusal of(JobException failure) {
    if (failure.exitCode() == ExitCode.OUTSIDE || failure.exitCode() == ExitCode.DEFECT) {
      throw failure;
    }
    return new Refusal(failure.exitCode(), failure.getMessage(), new int[0]);
  }

  /** The failure to throw on the driver. */
  JobException exception(String where) {
    String text = where.isEmpty() ? message : message + " in " + where;
    return switch (exitCode) {
      case USAGE -> JobException.usage(text);
      case BAD_INPUT -> JobException.badInput(text);
      default -> throw new IllegalStateException("no refusal ends with " + exitCode + ": " + text);
    };
  }
}
