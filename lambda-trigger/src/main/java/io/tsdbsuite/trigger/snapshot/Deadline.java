package io.tsdbsuite.trigger.snapshot;

import java.util.function.LongSupplier;

/**
 * The deadline of an invocation. Lambda kills a function at its timeout without a log line, so the
 * function stops a little earlier and logs the reason.
 *
 * @param remainingMillis the time left, milliseconds
 */
public record Deadline(LongSupplier remainingMillis) {
  /** Time reserved for the log and the response. */
  private static final long RESERVE_MILLIS = 5_000;

  /**
   * Checks that there is time left for some work.
   *
   * @throws DeadlineException when there is no time left
   */
  public void require(String work) {
    if (remainingMillis.getAsLong() < RESERVE_MILLIS) {
      throw new DeadlineException(work);
    }
  }

  /** Work was stopped because the function's timeout is near. */
  public static final class DeadlineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DeadlineException(String work) {
      super(work + " was stopped: the function's timeout is near; give it more time or memory");
    }
  }
}
