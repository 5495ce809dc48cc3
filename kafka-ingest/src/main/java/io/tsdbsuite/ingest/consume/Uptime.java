package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;

/** Time that never steps back, unlike that of a clock: for how long things take. Thread-safe. */
final class Uptime {
  private final Ticker ticker;
  private final long start;

  Uptime(Ticker ticker) {
    this.ticker = ticker;
    this.start = ticker.read();
  }

  /** Milliseconds since it was made. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(ticker.read() - start);
  }
}
