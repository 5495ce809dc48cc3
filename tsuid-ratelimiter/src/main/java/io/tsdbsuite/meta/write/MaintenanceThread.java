package io.tsdbsuite.meta.write;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread: a tick per second, more often while work is left at the in-flight limit.
 */
final class MaintenanceThread {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceThread.class);
  private static final long TICK_MILLIS = 1000;
  private static final long BUSY_MILLIS = 20;
  private static final long STOP_MILLIS = 2000;

  private final Maintenance maintenance;
  private final Counters counters;
  private final LimitedLog log;
  private final Thread thread;
  private boolean stopped;

  MaintenanceThread(Maintenance maintenance, Counters counters, Clock clock) {
    this.maintenance = maintenance;
    this.counters = counters;
    this.log = new LimitedLog(LOG, clock);
    this.thread = new Thread(this::run, "tsuid-ratelimiter");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    boolean done = true;
    while (pause(done ? TICK_MILLIS : BUSY_MILLIS)) {
      try {
        done = maintenance.tick();
      } catch (RuntimeException | Error e) {
        done = true;
        counters.errors.increment();
        log.error("the background work of tsuid-ratelimiter failed, it goes on", e);
      }
    }
  }

  private synchronized boolean pause(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    try {
      for (long left = millis; !stopped && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
        wait(left);
      }
    } catch (InterruptedException e) {
      stopped = true;
    }
    return !stopped;
  }

  /** Ends the thread and waits for it, 2 seconds at most. */
  void stop() {
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
