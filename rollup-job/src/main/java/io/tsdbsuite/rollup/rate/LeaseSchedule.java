package io.tsdbsuite.rollup.rate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Divides a rate among the tasks that ask for permits.
 *
 * <p>Permits accrue evenly. Each lease gets the next ones, and a wait until the last of them has
 * accrued, so that a job never sends more than rate times its time. Permits that no task asked for
 * are forgotten, but for those of the last {@link #SLICE}: else the way of the messages between
 * task and driver would cost a part of the rate. So {@code rate * (t + SLICE)} bounds the permits
 * of any time t.
 */
final class LeaseSchedule {
  /** All tasks' leases together last about as long as this, in nanoseconds. */
  static final long SLICE = TimeUnit.MILLISECONDS.toNanos(100);

  /** The driver answers about so many requests a second at the most. */
  private static final double REQUESTS_PER_SECOND = 2000;

  /** A task that did not ask for so long, in nanoseconds, has ended. */
  private static final long ACTIVE = TimeUnit.SECONDS.toNanos(1);

  private final double perSecond;
  private final LongSupplier nanoTime;
  private final long start;

  /** By task: until when it counts as one that sends, in nanoseconds after the start. */
  private final Map<Long, Long> activeUntil = new HashMap<>();

  private long nextLook = ACTIVE;

  /** When all permits that were leased have accrued, in nanoseconds after the start. */
  private double leasedUntil;

  /**
   * @param perSecond permits per second, more than 0
   * @param nanoTime nanoseconds of a clock that never goes back
   */
  LeaseSchedule(double perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** The next permits for a task. */
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
