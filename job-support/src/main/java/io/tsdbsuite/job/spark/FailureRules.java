package io.tsdbsuite.job.spark;

import io.tsdbsuite.job.JobException;
import org.apache.spark.ExceptionFailure;

/**
 * How a program tells failures of Spark and of machines, which a repetition may mend, from defects
 * of its own.
 */
public interface FailureRules {
  /** What a task has thrown that is not known ({@link JobException#known}). */
  JobException ofTask(ExceptionFailure failure);

  /**
   * What a call of Spark has thrown on the driver.
   *
   * @param stopped whether the application was stopped, after which each call of Spark fails
   */
  JobException ofDriver(Throwable failure, boolean stopped);

  /** Whether what a call of Spark has thrown says that the driver itself failed, and no task. */
  default boolean isOfDriver(Throwable failure) {
    return false;
  }
}
