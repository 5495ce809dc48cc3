package io.tsdbsuite.rollup.rate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Divides a rate among the tasks that request permits.
 *
 * <p>Permits accrue evenly. Each lease receives the next permits and a wait until the last of them
 * has accrued, so a job never exceeds rate times duration. Unused permits expire, except for the
 * permits of the last {@link #SLICE}; without this exception the latency between task and driver
 * would reduce the rate. So {@code rate * (t + SLICE)} bounds the permits of any duration t.
 */
final class LeaseSchedule {
  /** Approximate duration covered by the leases of all tasks together, in nanoseconds. */
  static final long SLICE = TimeUnit.MILLISECONDS.toNanos(100);

  /** Approximate limit of requests per second that the driver answers. */
  private static final double REQUESTS_PER_SECOND = 2000;

  /** Time without a request after which a task counts as ended, in nanoseconds. */
  private static final long ACTIVE = TimeUnit.SECONDS.toNanos(1);

  private final double perSecond;
  private final LongSupplier nanoTime;
  private final long start;

  /** End of each task's active time, by task, in nanoseconds after the start. */
  private final Map<Long, Long> activeUntil = new HashMap<>();

  private long nextLook = ACTIVE;

  /** Time at which all leased permits have accrued, in nanoseconds after the start. */
  private double leasedUntil;

  /**
   * @param perSecond permits per second, more than 0
   * @param nanoTime nanoseconds of a monotonic clock
   */
  LeaseSchedule(double perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Leases the next permits to a task. */
  synchronized Lease lease(long task) {
    long now = nanoTime.getAsLong() - start;
    if (now >= nextLook) {
      activeUntil.values().removeIf(until -> until < now);
      nextLook = now + SLICE;
    }
    activeUntil.putIfAbsent(task, now + ACTIVE);
    double share = perSecond * seconds(SLICE) / activeUntil.size();
    long permits = (long) Math.max(1, Math.max(share, perSecond / REQUESTS_PER_SECOND));
    leasedUntil =
        Math.max(leasedUntil, (double) now - SLICE)
            + (double) permits / perSecond * TimeUnit.SECONDS.toNanos(1);
    long wait = Math.max(0, (long) (leasedUntil - now));
    activeUntil.put(task, now + wait + ACTIVE);
    return new Lease(permits, wait);
  }

  private static double seconds(long nanos) {
    return (double) nanos / TimeUnit.SECONDS.toNanos(1);
  }
}
