package io.tsdbsuite.meta.write;

/**
 * Wait of series after a failed write. The wait doubles while no write succeeds, once per wait
 * regardless of the number of failures, up to 16 times the first. Thread-safe.
 */
final class Backoff {
  private static final int LAST_LEVEL = 4;

  private final int firstSeconds;
  private volatile int level;
  private volatile boolean failing;
  private int raiseAt;

  Backoff(int firstSeconds) {
    this.firstSeconds = firstSeconds;
  }

  /** A write failed. */
  synchronized void failed(int now) {
    if (!failing) {
      failing = true;
      level = 0;
    } else if (now >= raiseAt) {
      level = Math.min(LAST_LEVEL, level + 1);
    } else {
      return;
    }
    raiseAt = now + seconds();
  }

  /** A write succeeded: the next failure is a first one. */
  void succeeded() {
    if (failing) {
      synchronized (this) {
        level = 0;
        failing = false;
      }
    }
  }

  /** The current wait, seconds. */
  int seconds() {
    return firstSeconds << level;
  }

  /** Second of the retry of a series: one to two waits from now, by its TSUID. */
  int retryAt(byte[] tsuid, int now) {
    int wait = seconds();
    return now + wait + WriteJitter.spread(tsuid, wait);
  }
}
