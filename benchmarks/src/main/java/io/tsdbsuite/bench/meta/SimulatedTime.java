package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;

/** Simulated time that advances only by calls. Not thread-safe. */
final class SimulatedTime extends Ticker {
  private long seconds;

  /** Advances the time. */
  void pass(int moreSeconds) {
    seconds += moreSeconds;
  }

  @Override
  public long read() {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
