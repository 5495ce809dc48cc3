package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;

/** Time that passes when told. For one thread. */
final class SimulatedTime extends Ticker {
  private long seconds;

  /** Goes on. */
  void pass(int moreSeconds) {
    seconds += moreSeconds;
  }

  @Override
  public long read() {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
