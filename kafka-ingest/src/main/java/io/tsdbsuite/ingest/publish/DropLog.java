package io.tsdbsuite.ingest.publish;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Logs dropped points, at most one line in ten seconds. Thread-safe. */
final class DropLog {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Ticker ticker;
  private final Consumer<String> log;
  private final AtomicLong nextLine;
  private final AtomicLong unlogged = new AtomicLong();

  /**
   * Creates a log; the first dropped point is logged at once.
   *
   * @param log gets the lines
   */
  DropLog(Ticker ticker, Consumer<String> log) {
    this.ticker = ticker;
    this.log = log;
    this.nextLine = new AtomicLong(ticker.read());
  }

  /** Counts a dropped point, and logs it if a line is due. */
  void dropped(String reason) {
    unlogged.incrementAndGet();
    long due = nextLine.get();
    long now = ticker.read();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + INTERVAL_NANOS)) {
      log.accept(
          String.format(
              "%s points were stored and not published, the last one because: %s",
              unlogged.getAndSet(0), reason));
    }
  }
}
