package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.RollupReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the report repeatedly during a run, in a separate thread because Spark's threads must not
 * wait for a file. The pause between two writes is at least nineteen times the duration of the last
 * write, so writing takes at most 5 % of the time, independent of the number of partitions.
 */
final class ReportKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportKeeper.class);
  private static final int RESTS_PER_WRITE = 19;

  private final Supplier<RollupReport> report;
  private final Consumer<RollupReport> file;
  private final long restNanos;
  private final LongSupplier nanoTime;
  private final Thread thread = new Thread(this::run, "rollup-report");
  private boolean changed;
  private boolean closed;
  private Optional<String> failure = Optional.empty();

  /**
   * @param report supplies the current report
   * @param file writes the report atomically
   * @param rest minimum pause between two writes
   */
  ReportKeeper(
      Supplier<RollupReport> report,
      Consumer<RollupReport> file,
      Duration rest,
      LongSupplier nanoTime) {
    this.report = report;
    this.file = file;
    this.restNanos = rest.toNanos();
    this.nanoTime = nanoTime;
  }

  /**
   * Writes the report for the first time.
   *
   * @throws RuntimeException exceptions of {@code file}, so that an unwritable file fails the run
   *     at its start and not after hours
   */
  void start() {
    file.accept(report.get());
    thread.setDaemon(true);
    thread.start();
  }

  /** Signals that the report has changed. */
  synchronized void changed() {
    changed = true;
    notifyAll();
  }

  private void run() {
    try {
      while (awaitChange()) {
        rest(write());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a change; returns false when closed. */
  private synchronized boolean awaitChange() throws InterruptedException {
    while (!changed && !closed) {
      wait();
    }
    changed = false;
    return !closed;
  }

  /** Writes the report; returns the duration in nanoseconds. */
  private long write() {
    long start = nanoTime.getAsLong();
    try {
      file.accept(report.get());
      setFailure(Optional.empty());
    } catch (RuntimeException e) {
      // The next write retries; the loss matters only if the run dies before it.
      LOG.warn("the report was not kept up to date", e);
      setFailure(Optional.ofNullable(e.getMessage()));
    }
    return nanoTime.getAsLong() - start;
  }

  private synchronized void setFailure(Optional<String> message) {
    failure = message;
  }

  private synchronized void rest(long took) throws InterruptedException {
    long rest = Math.max(restNanos, RESTS_PER_WRITE * took);
    long end = nanoTime.getAsLong() + rest;
    for (long left = rest; left > 0 && !closed; left = end - nanoTime.getAsLong()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Cause of the last write's failure; empty when it succeeded. */
  synchronized Optional<String> failure() {
    return failure;
  }

  /** Stops the thread and waits for its end. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
