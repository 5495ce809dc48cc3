package io.tsdbsuite.rollup.rate;

import java.io.Serializable;

/** Where the tasks of a job get their permits. */
@FunctionalInterface
public interface Leases extends Serializable {
  /** No limit. */
  Leases UNLIMITED = task -> new Lease(Long.MAX_VALUE, 0);

  /**
   * Leases permits.
   *
   * @param task a number that no other task attempt of the job has
   * @throws InterruptedException if the task is to end
   * @throws RateLimitException if the driver gives no answer
   */
  Lease next(long task) throws InterruptedException, RateLimitException;
}
