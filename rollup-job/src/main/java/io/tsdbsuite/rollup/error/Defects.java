package io.tsdbsuite.rollup.error;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles unexpected exceptions, which are not caused by input, configuration or an outside system.
 */
public final class Defects {
  private static final Logger LOG = LoggerFactory.getLogger(Defects.class);

  private static final long MEBIBYTE = 1 << 20;

  private static final String REPORT = "please report it with the log, which has the stack trace";

  private Defects() {}

  /**
   * Returns the exception to throw for an unexpected exception; for a known one {@link
   * JobException#known}.
   *
   * @param failure the exception; the caller logs its stack trace
   */
  public static JobException of(Throwable failure) {
    JobException known = JobException.known(failure);
    if (known != null) {
      return known;
    }
    if (failure instanceof OutOfMemoryError) {
      return JobException.defect(
          ("the driver's memory of %s MiB did not suffice (%s): give it more"
                  + " (--driver-memory); where that does not help it is a defect of rollup-job, %s")
              .formatted(Runtime.getRuntime().maxMemory() / MEBIBYTE, failure.getMessage(), REPORT),
          failure);
    }
    return JobException.defect("a defect of rollup-job, " + REPORT + ": " + failure, failure);
  }

  /**
   * Returns the exception that a job on HBase ends with: usage, when HBase does not allow it, or no
   * file system has the scheme of a URI; outside, when HBase or storage fails; for any other {@link
   * #of}. A defect is logged.
   *
   * @param job the begin of the message
   */
  public static JobException ofHBase(String job, Throwable failure) {
    Throwable cause =
        failure instanceof UncheckedIOException
            ? Objects.requireNonNull(failure.getCause())
            : failure;
    if (cause instanceof IOException io) {
      String access =
          io instanceof UnsupportedFileSystemException
              ? io.getMessage()
              : AccessFailures.reason(io);
      return access == null
          ? JobException.outside(
              job + " did not succeed, run it again: " + StorageFailures.describe(io), io)
          : JobException.usage(job + " is not allowed: " + access, io);
    }
    JobException known = of(cause);
    if (known.exitCode() == ExitCode.DEFECT) {
      LOG.error("{} ends because of a defect", job, known);
    }
    return known;
  }

  /**
   * Whether an exception of this class always indicates a defect in the code that reads or
   * computes. File systems also throw RuntimeExceptions of other classes in place of IOExceptions.
   */
  public static boolean isOwnFault(Throwable failure) {
    return failure instanceof NullPointerException
        || failure instanceof IndexOutOfBoundsException
        || failure instanceof ClassCastException
        || failure instanceof ArithmeticException
        || failure instanceof NegativeArraySizeException
        || failure instanceof ArrayStoreException
        || failure instanceof ConcurrentModificationException
        || failure instanceof NoSuchElementException;
  }

  /** Returns the exception for books whose sums do not hold. */
  public static JobException openBooks() {
    return JobException.defect(
        "the books do not close: something was lost or counted twice; this is a defect of"
            + " rollup-job, please report it with the report and the log",
        null);
  }
}
