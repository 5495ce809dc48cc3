package io.tsdbsuite.ingest.consume;

/**
 * Distinguishes a lost answer from an HBase that answers no request: writes to the latter wait in
 * its client and complete after HBase has recovered. Thread-safe.
 *
 * <p>HBase is probed only while an answer is overdue.
 */
final class HBaseProbe {
  private static final long INTERVAL_MILLIS = 1_000;

  /** A probe that takes longer has waited for an unavailable HBase and counts as failed. */
  private static final long TIMEOUT_MILLIS = 10_000;

  private final Storage storage;
  private final MonotonicClock clock;
  private final long minAliveMillis;
  private boolean pending;
  private long probedMillis;
  private long aliveSinceMillis = -1;

  /**
   * Creates a probe that has not yet sent a request.
   *
   * @param minAliveMillis time for which HBase must have answered all probes, so that it has
   *     answered older requests before
   */
  HBaseProbe(Storage storage, MonotonicClock clock, long minAliveMillis) {
    this.storage = storage;
    this.clock = clock;
    this.minAliveMillis = minAliveMillis;
    this.probedMillis = clock.millis() - INTERVAL_MILLIS;
  }

  /** Whether HBase has answered all recent probes in time. Sends a probe if due; never blocks. */
  boolean isAlive() {
    boolean due;
    boolean alive;
    synchronized (this) {
      long now = clock.millis();
      if (pending && now - probedMillis > TIMEOUT_MILLIS) {
        aliveSinceMillis = -1;
      }
      due = !pending && now - probedMillis >= INTERVAL_MILLIS;
      if (due) {
        pending = true;
        probedMillis = now;
      }
      alive = aliveSinceMillis >= 0 && now - aliveSinceMillis >= minAliveMillis;
    }
    if (due) {
      send();
    }
    return alive;
  }

  private void send() {
    try {
      storage
          .probe()
          .addCallbacks(
              answer -> {
                answered(true);
                return null;
              },
              failure -> {
                answered(false);
                return null;
              });
    } catch (RuntimeException e) {
      answered(false);
    }
  }

  private synchronized void answered(boolean successful) {
    pending = false;
    long now = clock.millis();
    if (!successful || now - probedMillis > TIMEOUT_MILLIS) {
      aliveSinceMillis = -1;
    } else if (aliveSinceMillis < 0) {
      aliveSinceMillis = now;
    }
  }

  /** Resets the state when no answer is overdue. */
  synchronized void reset() {
    aliveSinceMillis = -1;
  }
}
