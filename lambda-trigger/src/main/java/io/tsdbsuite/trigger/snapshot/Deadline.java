package io.tsdbsuite.trigger.snapshot;

import java.util.function.LongSupplier;

/**
 * The deadline of an invocation. Lambda kills a function at its timeout without a log line, so the
 * function stops a little earlier and logs the reason.
 */
public final class Deadline {
  /** Time reserved for the log and the response. */
  private static final long RESERVE_MILLIS = 5_000;

  private final LongSupplier remainingMillis;

  /**
   * @param remainingMillis the time left, milliseconds
   */
  public Deadline(LongSupplier remainingMillis) {
    this.remainingMillis = remainingMillis;
  }

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
}
