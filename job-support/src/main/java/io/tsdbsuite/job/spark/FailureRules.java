package io.tsdbsuite.job.spark;

import io.tsdbsuite.job.JobException;
import org.apache.spark.ExceptionFailure;

/**
 * Separates failures of Spark and of machines, which a retry may fix, from the program's defects.
 */
public interface FailureRules {
  /** Translates an exception of a task that {@link JobException#known} does not translate. */
  JobException ofTask(ExceptionFailure failure);

  /**
   * Translates an exception of a Spark call on the driver.
   *
   * @param stopped whether the application was stopped, after which each call of Spark fails
   */
  JobException ofDriver(Throwable failure, boolean stopped);

  /** Whether the exception of a Spark call means that the driver failed, and not a task. */
  default boolean isOfDriver(Throwable failure) {
    return false;
  }
}
