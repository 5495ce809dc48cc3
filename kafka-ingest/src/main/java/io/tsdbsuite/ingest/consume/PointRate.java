package io.tsdbsuite.ingest.consume;

import com.google.common.util.concurrent.RateLimiter;
import java.util.concurrent.TimeUnit;

/** The rate of a group in points per second; may be changed at any time. Thread-safe. */
public final class PointRate {
  private static final long STEP_MILLIS = 20;

  private final RateLimiter limiter = RateLimiter.create(1);
  private volatile double rate;

  PointRate(double rate) {
    set(rate);
  }

  /** Points per second; 0 when the group is stopped. */
  public double get() {
    return rate;
  }

  /**
   * Changes it; holds from the next message on.
   *
   * @param pointsPerSecond 0 to stop, or more
   */
  public void set(double pointsPerSecond) {
    if (pointsPerSecond > 0) {
      limiter.setRate(pointsPerSecond);
    }
    rate = pointsPerSecond;
  }

  /** Takes points if it is their turn at this moment. */
  boolean tryAcquire(int points) {
    return rate > 0 && limiter.tryAcquire(points);
  }

  /** Takes points, waiting a little; false when it was not their turn yet. */
  boolean acquire(int points) throws InterruptedException {
    if (rate > 0 && limiter.tryAcquire(points, STEP_MILLIS, TimeUnit.MILLISECONDS)) {
      return true;
    }
    Thread.sleep(STEP_MILLIS);
    return false;
  }
}
