package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.rollup.rate.Lease;
import io.tsdbsuite.rollup.rate.Leases;
import io.tsdbsuite.rollup.rate.RateLimitException;
import java.util.concurrent.TimeUnit;

/** Limits the messages of one task to its leased permits. For one thread. */
final class Throttle {
  /** Source of time, replaced in tests. */
  interface Clock {
    /** Nanoseconds of a monotonic clock. */
    long nanoTime();

    /** Waits. */
    void sleep(long nanos) throws InterruptedException;

    /** The system clock. */
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
          }
        };
  }

  private final Leases leases;
  private final long task;
  private final Clock clock;
  private long permits;

  /**
   * @param task number of the task attempt in lease requests
   */
  Throttle(Leases leases, long task, Clock clock) {
    this.leases = leases;
    this.task = task;
    this.clock = clock;
  }

  /** Waits until the next message may be sent. */
  void acquire() throws InterruptedException, RateLimitException {
    if (permits == 0) {
      Lease lease = leases.next(task);
      if (lease.waitNanos() > 0) {
        clock.sleep(lease.waitNanos());
      }
      permits = lease.permits();
    }
    permits--;
  }
}
