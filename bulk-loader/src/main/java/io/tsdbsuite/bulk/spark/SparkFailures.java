package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.FailureRules;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.hadoop.util.VersionInfo;
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

  /**
   * Of a class that cannot be linked: Spark's Hadoop comes before the jar's, and the jar's S3A
   * client needs a newer one. A defect if no class of Hadoop or of its S3 client is involved.
   */
  static JobException of(LinkageError e) {
    String text = String.valueOf(e.getMessage()).replace('/', '.');
    boolean ofHadoop =
        text.contains("org.apache.hadoop")
            || text.contains("awssdk")
            || Arrays.stream(e.getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith("org.apache.hadoop.fs"));
    if (!ofHadoop) {
      return Defects.of(e);
    }
    return JobException.usage(
        ("Hadoop %s on Spark's class path is incompatible with the S3A client in the jar"
                + " (%s): for s3a:// put hadoop-aws of that version, with its AWS SDK, on the"
                + " class path of the driver and of executors (docs/bulk-loader.md, On Spark)")
            .formatted(VersionInfo.getVersion(), e));
  }

  private static boolean isOfStop(Throwable failure, boolean stopped) {
    return stopped && failure instanceof IllegalStateException;
  }
}
