package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.RollupReport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the report of a run again and again while it goes on, in a thread of its own: Spark's must
 * not wait for a file. Between two writes it rests for a while, and at least for nineteen times as
 * long as the last one took, so that it never takes more than a twentieth of the time, however many
 * partitions there are.
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
  private String failure;

  /**
   * @param report how the run goes at the moment
   * @param file writes it, whole or not at all
   * @param rest between two writes, at the least
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
   * @throws RuntimeException what {@code file} throws: better now than after hours
   */
  void start() {
    file.accept(report.get());
    thread.setDaemon(true);
    thread.start();
  }

  /** There is something new to write. */
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

  /** False when this is closed. */
  private synchronized boolean awaitChange() throws InterruptedException {
    while (!changed && !closed) {
      wait();
    }
    changed = false;
    return !closed;
  }

  /** The nanoseconds that it took. */
  private long write() {
    long start = nanoTime.getAsLong();
    try {
      file.accept(report.get());
      failed(null);
    } catch (RuntimeException e) {
      // The next write tries again; only a run that dies before it would miss this one.
      LOG.warn("the report was not kept up to date", e);
      failed(e.getMessage());
    }
    return nanoTime.getAsLong() - start;
  }

  private synchronized void failed(String message) {
    failure = message;
  }

  private synchronized void rest(long took) throws InterruptedException {
    long rest = Math.max(restNanos, RESTS_PER_WRITE * took);
    long end = nanoTime.getAsLong() + rest;
    for (long left = rest; left > 0 && !closed; left = end - nanoTime.getAsLong()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Why the last write failed; null when it did not. */
  synchronized String failure() {
    return failure;
  }

  /** Returns when nothing is written any more. */
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
