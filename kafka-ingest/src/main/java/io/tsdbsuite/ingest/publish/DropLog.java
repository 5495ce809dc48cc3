package io.tsdbsuite.ingest.publish;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Logs what is dropped, at most one line in ten seconds. Thread-safe. */
final class DropLog {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Ticker ticker;
  private final String line;
  private final Consumer<String> log;
  private final AtomicLong nextLine;
  private final AtomicLong unlogged = new AtomicLong();

  /**
   * Creates a log; the first drop is logged at once.
   *
   * @param line a format with the number of drops since the last line, and the last reason
   * @param log gets the lines
   */
  DropLog(Ticker ticker, String line, Consumer<String> log) {
    this.ticker = ticker;
    this.line = line;
    this.log = log;
    this.nextLine = new AtomicLong(ticker.read());
  }

  /** Counts a drop, and logs it if a line is due. */
  void dropped(String reason) {
    unlogged.incrementAndGet();
    long due = nextLine.get();
    long now = ticker.read();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + INTERVAL_NANOS)) {
      log.accept(String.format(line, unlogged.getAndSet(0), reason));
    }
  }
}
