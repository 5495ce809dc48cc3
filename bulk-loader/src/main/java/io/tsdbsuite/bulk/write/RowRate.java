package io.tsdbsuite.bulk.write;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Rate limit of rows, shared by all threads: a token bucket of a tenth of a second. */
public final class RowRate {
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final double nanosPerRow;
  private final LongSupplier ticker;
  private final LongConsumer sleeper;

  /** When the bucket was, or will be, empty; nanoseconds of the ticker. */
  private double emptyAt;

  /**
   * @param rowsPerSecond at least 1
   */
  public RowRate(long rowsPerSecond) {
    this(rowsPerSecond, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * @param rowsPerSecond at least 1
   * @param ticker nanoseconds from any origin
   * @param sleeper waits at most its argument, nanoseconds
   */
  RowRate(long rowsPerSecond, LongSupplier ticker, LongConsumer sleeper) {
    if (rowsPerSecond < 1) {
      throw new IllegalArgumentException("rows per second must be positive: " + rowsPerSecond);
    }
    this.nanosPerRow = (double) TimeUnit.SECONDS.toNanos(1) / rowsPerSecond;
    this.ticker = ticker;
    this.sleeper = sleeper;
    this.emptyAt = ticker.getAsLong() - (double) BURST_NANOS;
  }

  /** Returns when a row may be written, or the thread is interrupted. */
  public void acquire() {
    double until = take();
    for (; ; ) {
      double wait = until - ticker.getAsLong();
      if (wait <= 0 || Thread.currentThread().isInterrupted()) {
        return;
      }
      sleeper.accept((long) Math.ceil(wait));
    }
  }

  private synchronized double take() {
    emptyAt = Math.max(emptyAt, ticker.getAsLong() - (double) BURST_NANOS) + nanosPerRow;
    return emptyAt;
  }
}
