package io.tsdbsuite.meta.write;

/**
 * How long series wait after a failed write. The wait doubles while nothing succeeds, once per wait
 * however many writes fail, up to 16 times the first. Thread-safe.
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

  /** The wait as it is now, seconds. */
  int seconds() {
    return firstSeconds << level;
  }

  /** When a series is tried again: after one to two waits, by its TSUID. */
  int retryAt(byte[] tsuid, int now) {
    int wait = seconds();
    return now + wait + WriteJitter.spread(tsuid, wait);
  }
}
