package io.tsdbsuite.rollup.rate;

import java.io.Serializable;

/** Source of permits for the tasks of a job. */
@FunctionalInterface
public interface Leases extends Serializable {
  /** No limit. */
  Leases UNLIMITED = task -> new Lease(Long.MAX_VALUE, 0);

  /**
   * Leases permits.
   *
   * @param task a number that no other task attempt of the job has
   * @throws InterruptedException if the task is cancelled
   * @throws RateLimitException if the driver does not answer
   */
  Lease next(long task) throws InterruptedException, RateLimitException;
}
