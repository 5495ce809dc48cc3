package io.tsdbsuite.rollup.spark;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.FailureRules;
import io.tsdbsuite.rollup.error.Defects;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkDriverExecutionException;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** Separates failures of Spark, which a retry may fix, from defects of this job. */
public final class SparkFailures implements FailureRules {
  /** The rules for all Spark jobs of this module. */
  public static final FailureRules RULES = new SparkFailures();

  /** Packages whose exceptions a task throws only because of its own code. */
  private static final Set<String> OWN = Set.of("java.lang", "java.util");

  /** Exceptions of these packages that indicate a problem of the machine or the cluster. */
  private static final Set<String> FOREIGN =
      Set.of("java.lang.Exception", "java.lang.InterruptedException", "java.lang.RuntimeException");

  private static final Pattern CLASS = Pattern.compile("\\b([a-z]\\w*\\.)+\\w*(Exception|Error): ");

  private SparkFailures() {}

  /**
   * Translates an exception of a Spark call on the driver.
   *
   * @return outside, when Spark failed or was stopped; defect, when this job's own code did; the
   *     exception itself, when it is one of this job's
   */
  public static JobException of(JavaSparkContext spark, Throwable failure) {
    return RULES.ofDriver(failure, spark.sc().isStopped());
  }

  @Override
  public JobException ofDriver(Throwable failure, boolean stopped) {
    if (failure instanceof SparkDriverExecutionException own && own.getCause() != null) {
      return Defects.of(own.getCause());
    }
    // SparkException is checked, but Scala does not declare it.
    if (failure instanceof SparkException
        || failure instanceof IOException
        || failure instanceof InterruptedException
        || (failure instanceof IllegalStateException && stopped)) {
      return JobException.outside("Spark failed: " + oneLine(failure.getMessage()), failure);
    }
    return Defects.of(failure);
  }

  @Override
  public JobException ofTask(ExceptionFailure failure) {
    String what = "a task failed: " + failure.className() + ": " + failure.description();
    Throwable cause = failure.exception().isDefined() ? failure.exception().get() : null;
    if (failure.className().equals(OutOfMemoryError.class.getName())) {
      return JobException.defect(
          ("a task's memory did not suffice (%s): give executors more (--executor-memory),"
                  + " or make partitions smaller (--partition-size); where that does not help it is"
                  + " a defect of rollup-job, please report it with the log")
              .formatted(failure.description()),
          cause);
    }
    return isDefect(failure.className())
        ? JobException.defect(
            what + "; this is a defect of rollup-job, please report it with the log", cause)
        : JobException.outside(
            "a task failed: " + oneLine(failure.description()) + disk(failure), cause);
  }

  private static String disk(ExceptionFailure failure) {
    return isOfFullDisk(String.valueOf(failure.description()))
        ? "; look at the disks of --output or --hfile-dir, and at those of spark.local.dir (YARN:"
            + " yarn.nodemanager.local-dirs) of driver and executors"
        : "";
  }

  /** Whether it has the words of Linux for no space, or none within the quota. */
  static boolean isOfFullDisk(String message) {
    return message.contains("No space left on device") || message.contains("Disk quota exceeded");
  }

  /** Spark's messages have the stack trace of the task and of the driver, and names of classes. */
  private static String oneLine(@Nullable String message) {
    String first = message == null ? "" : message.lines().findFirst().orElse("");
    String plain = CLASS.matcher(first).replaceAll("").strip();
    return plain.isEmpty() ? "without a reason, see the log" : plain;
  }

  /** Whether an exception of this class indicates a defect in this job's code. */
  private static boolean isDefect(String className) {
    int end = className.lastIndexOf('.');
    return end > 0 && OWN.contains(className.substring(0, end)) && !FOREIGN.contains(className);
  }
}
