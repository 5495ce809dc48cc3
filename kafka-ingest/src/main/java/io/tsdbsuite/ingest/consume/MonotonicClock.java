package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;

/** Monotonic time for durations. Thread-safe. */
final class MonotonicClock {
  private final Ticker ticker;
  private final long start;

  MonotonicClock(Ticker ticker) {
    this.ticker = ticker;
    this.start = ticker.read();
  }

  /** Milliseconds since this object was created. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(ticker.read() - start);
  }
}
