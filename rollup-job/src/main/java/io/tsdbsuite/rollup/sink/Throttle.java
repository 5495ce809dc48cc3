package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.rollup.rate.Lease;
import io.tsdbsuite.rollup.rate.Leases;
import io.tsdbsuite.rollup.rate.RateLimitException;
import java.util.concurrent.TimeUnit;

/** Holds the messages of one task to the permits that it leases. Not for more than one thread. */
final class Throttle {
  /** Time, so that tests need none. */
  interface Clock {
    /** Nanoseconds of a clock that never goes back. */
    long nanoTime();

    /** Waits. */
    void sleep(long nanos) throws InterruptedException;

    /** The real one. */
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
   * @param task the number under which it leases
   */
  Throttle(Leases leases, long task, Clock clock) {
    this.leases = leases;
    this.task = task;
    this.clock = clock;
  }

  /** Waits until the next message may go. */
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
