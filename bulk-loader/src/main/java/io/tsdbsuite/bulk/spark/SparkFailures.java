package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.JobException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import org.apache.spark.SparkDriverExecutionException;
import org.apache.spark.SparkException;

/**
 * Tells failures of Spark and of machines from defects of the loader, on the driver and in tasks.
 */
final class SparkFailures {
  private SparkFailures() {}

  /** Whether only code of the loader throws this, and neither Spark nor a disk or a network. */
  static boolean isDefect(Throwable thrown) {
    if (thrown instanceof RuntimeException) {
      return !(thrown instanceof UncheckedIOException)
          && !thrown.getClass().getName().startsWith("org.apache.spark.");
    }
    return thrown instanceof Error;
  }

  /** Whether the driver itself has failed in a job, and no task. */
  static boolean isOfDriver(Throwable failure) {
    return failure instanceof SparkDriverExecutionException
        || isUnsendable(failure)
        || isDefect(failure);
  }

  /** Spark's name for a task that cannot be sent has no class of its own. */
  private static boolean isUnsendable(Throwable failure) {
    return failure instanceof SparkException
        && failure.getCause() instanceof NotSerializableException;
  }

  /**
   * What a failure on the driver means for the load: one that is known stays as it is.
   *
   * @param stopped whether the application was stopped, after which each call of Spark fails
   */
  static JobException of(Throwable failure, boolean stopped) {
    if (failure instanceof SparkDriverExecutionException ofDriver && ofDriver.getCause() != null) {
      return of(ofDriver.getCause(), stopped);
    }
    if (failure instanceof OutOfMemoryError) {
      return Defects.defect(failure + " (more --driver-memory may avoid it)", failure);
    }
    if (failure instanceof JobException
        || failure instanceof UncheckedIOException
        || (isDefect(failure) && !isOfStop(failure, stopped))) {
      return Defects.of(failure);
    }
    if (isUnsendable(failure)) {
      return Defects.defect(failure.getMessage(), failure);
    }
    boolean ofSpark = failure instanceof SparkException;
    return JobException.outside(
        "Spark failed: " + (ofSpark ? failure.getMessage() : failure), failure);
  }

  private static boolean isOfStop(Throwable failure, boolean stopped) {
    return stopped && failure instanceof IllegalStateException;
  }
}
