package io.tsdbsuite.trigger.snapshot;

import java.util.function.LongSupplier;

/**
 * The time that a function has. Lambda ends one that takes longer without a word; so it stops by
 * itself a little before, and says why.
 */
public final class Deadline {
  /** Enough to write the log and to answer. */
  private static final long RESERVE_MILLIS = 5_000;

  private final LongSupplier remainingMillis;

  /**
   * @param remainingMillis the time left, milliseconds
   */
  public Deadline(LongSupplier remainingMillis) {
    this.remainingMillis = remainingMillis;
  }

  /**
   * Goes on if there is time.
   *
   * @throws DeadlineException when there is none
   */
  public void require(String work) {
    if (remainingMillis.getAsLong() < RESERVE_MILLIS) {
      throw new DeadlineException(work);
    }
  }
}
