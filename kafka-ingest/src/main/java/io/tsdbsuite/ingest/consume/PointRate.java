package io.tsdbsuite.ingest.consume;

import com.google.common.util.concurrent.RateLimiter;
import java.util.concurrent.TimeUnit;

/** Rate limit of a group, points per second; may be changed at any time. Thread-safe. */
public final class PointRate {
  private static final long STEP_MILLIS = 20;

  private final RateLimiter limiter = RateLimiter.create(1);
  private volatile double rate;

  PointRate(double rate) {
    set(rate);
  }

  /** Points per second; 0 stops the group. */
  public double get() {
    return rate;
  }

  /**
   * Changes the rate, effective from the next message on.
   *
   * @param pointsPerSecond 0 stops the group
   */
  public void set(double pointsPerSecond) {
    if (pointsPerSecond > 0) {
      limiter.setRate(pointsPerSecond);
    }
    rate = pointsPerSecond;
  }

  /**
   * Acquires points, 0 or more, without waiting; returns false if the rate does not allow them now.
   */
  boolean tryAcquire(int points) {
    return rate > 0 && (points == 0 || limiter.tryAcquire(points));
  }

  /** Acquires points, waiting for a few milliseconds; returns false on a timeout. */
  boolean acquire(int points) throws InterruptedException {
    if (rate > 0
        && (points == 0 || limiter.tryAcquire(points, STEP_MILLIS, TimeUnit.MILLISECONDS))) {
      return true;
    }
    Thread.sleep(STEP_MILLIS);
    return false;
  }
}
