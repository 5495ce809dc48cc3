package io.tsdbsuite.meta.write;

/**
 * The time of another clock, at most about 100 ms late while its thread runs, for callers with each
 * point: to read the JVM's clock takes as long as half of the other work for a point. Before {@link
 * #start} and after {@link #stop} it reads the other clock.
 */
final class ApproximateClock implements Clock {
  private static final long PERIOD_MILLIS = 100;
  private static final int EXACT = Integer.MIN_VALUE;

  private final Clock exact;
  private volatile int second = EXACT;
  private boolean stopped;

  ApproximateClock(Clock exact) {
    this.exact = exact;
  }

  @Override
  public int now() {
    int now = second;
    return now == EXACT ? exact.now() : now;
  }

  /** Starts the thread. */
  void start() {
    Thread thread = new Thread(this::run, "tsuid-ratelimiter-clock");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends the thread. */
  synchronized void stop() {
    stopped = true;
    second = EXACT;
    notifyAll();
  }

  private synchronized void run() {
    try {
      while (!stopped) {
        second = exact.now();
        wait(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      second = EXACT;
    }
  }
}
