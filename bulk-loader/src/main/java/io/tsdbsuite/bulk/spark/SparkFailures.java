package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.FailureRules;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkDriverExecutionException;
import org.apache.spark.SparkException;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Tells failures of Spark and of machines from defects of the loader, on the driver and in tasks.
 */
final class SparkFailures implements FailureRules {
  static final FailureRules RULES = new SparkFailures();

  private SparkFailures() {}

  /** Whether only code of the loader throws this, and neither Spark nor a disk or a network. */
  static boolean isDefect(@Nullable Throwable thrown) {
    if (thrown instanceof RuntimeException) {
      return !(thrown instanceof UncheckedIOException)
          && !thrown.getClass().getName().startsWith("org.apache.spark.");
    }
    return thrown instanceof Error;
  }

  @Override
  public boolean isOfDriver(Throwable failure) {
    return failure instanceof SparkDriverExecutionException
        || isUnsendable(failure)
        || isDefect(failure);
  }

  /** Whether Spark could not serialize a task; the exception has no class of its own. */
  private static boolean isUnsendable(Throwable failure) {
    return failure instanceof SparkException
        && failure.getCause() instanceof NotSerializableException;
  }

  @Override
  public JobException ofTask(ExceptionFailure failure) {
    Option<Throwable> exception = failure.exception();
    Throwable thrown = exception.isDefined() ? exception.get() : null;
    if (isDefect(thrown)) {
      return Defects.defect(
          "a task failed: " + failure.className() + ": " + failure.description(), thrown);
    }
    String reason = thrown == null ? failure.description() : StorageFailures.reason(thrown);
    return JobException.outside("a task failed: " + reason, thrown);
  }

  @Override
  public JobException ofDriver(Throwable failure, boolean stopped) {
    if (failure instanceof SparkDriverExecutionException ofDriver && ofDriver.getCause() != null) {
      return ofDriver(ofDriver.getCause(), stopped);
    }
    if (failure instanceof OutOfMemoryError) {
      return Defects.defect(failure + " (more --driver-memory may avoid it)", failure);
    }
    if (JobException.known(failure) != null
        || failure instanceof UncheckedIOException
        || (isDefect(failure) && !isOfStop(failure, stopped))) {
      return Defects.of(failure);
    }
    if (isUnsendable(failure)) {
      return Defects.defect(String.valueOf(failure.getMessage()), failure);
    }
    boolean ofSpark = failure instanceof SparkException;
    return JobException.outside(
        "Spark failed: " + (ofSpark ? failure.getMessage() : StorageFailures.reason(failure)),
        failure);
  }

  private static boolean isOfStop(Throwable failure, boolean stopped) {
    return stopped && failure instanceof IllegalStateException;
  }
}
