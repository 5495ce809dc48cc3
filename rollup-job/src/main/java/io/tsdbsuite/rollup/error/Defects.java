package io.tsdbsuite.rollup.error;

import io.tsdbsuite.job.JobException;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;

/**
 * Handles unexpected exceptions, which are not caused by input, configuration or an outside system.
 */
public final class Defects {
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
