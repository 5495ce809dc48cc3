package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;

/**
 * Rate limit of a group, points per second; may be changed at any time. Thread-safe.
 *
 * <p>A message of any size is written when no points are owed. It may use up the points of the last
 * second, and owes the others. They are owed in points, not in time: a higher rate pays them off
 * sooner. (Guava's RateLimiter keeps the time, so that the next message would wait for hours.)
 */
public final class PointRate {
  private static final long STEP_MILLIS = 20;
  private static final double SECOND_NANOS = 1e9;

  private final Ticker ticker;
  private double rate;

  /** Points that may be written now; negative: points that are owed. */
  private double free;

  private long atNanos;

  PointRate(double rate, Ticker ticker) {
    this.ticker = ticker;
    this.rate = rate;
    this.atNanos = ticker.read();
  }

  /** Points per second; 0 stops the group. */
  public synchronized double get() {
    return rate;
  }

  /**
   * Changes the rate, effective at once: points that are owed take no longer than at the old rate,
   * and no longer than at the new one.
   *
   * @param pointsPerSecond 0 stops the group
   */
  public synchronized void set(double pointsPerSecond) {
    refill();
    if (free < 0 && pointsPerSecond < rate) {
      free *= pointsPerSecond / rate;
    }
    rate = pointsPerSecond;
    free = Math.min(free, rate);
  }

  private void refill() {
    long now = ticker.read();
    free = Math.min(rate, free + rate * ((now - atNanos) / SECOND_NANOS));
    atNanos = now;
  }

  /**
   * Acquires points, 0 or more, without waiting; returns false if the rate does not allow them now.
   */
  synchronized boolean tryAcquire(int points) {
    refill();
    if (rate <= 0 || (points > 0 && free < 0)) {
      return false;
    }
    free -= points;
    return true;
  }

  /** Acquires points, waiting for a few milliseconds; returns false on a timeout. */
  boolean acquire(int points) throws InterruptedException {
    if (tryAcquire(points)) {
      return true;
    }
    Thread.sleep(STEP_MILLIS);
    return false;
  }
}
