package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.StorageFailure;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row of HBase now and then: HBase may be down while the group has nothing to write. Also
 * distinguishes a lost answer from an HBase that answers no request: writes to the latter wait in
 * its client and complete after HBase has recovered. Thread-safe.
 */
final class HBaseProbe {
  private static final long INTERVAL_MILLIS = 1_000;

  /** While HBase answers, and no answer is overdue. */
  private static final long QUIET_INTERVAL_MILLIS = 10_000;

  /** A probe that takes longer has waited for an unavailable HBase and counts as failed. */
  private static final long TIMEOUT_MILLIS = 10_000;

  private final Storage storage;
  private final MonotonicClock clock;
  private final long minAliveMillis;
  private boolean pending;
  private long probedMillis;
  private long aliveSinceMillis = -1;
  private @Nullable String failure;

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
    this.probedMillis = clock.millis() - QUIET_INTERVAL_MILLIS;
  }

  /** Whether HBase has answered all recent probes in time. Sends a probe if due; never blocks. */
  boolean isAlive() {
    sendIfDue(INTERVAL_MILLIS);
    synchronized (this) {
      long now = clock.millis();
      if (pending && now - probedMillis > TIMEOUT_MILLIS) {
        aliveSinceMillis = -1;
      }
      return aliveSinceMillis >= 0 && now - aliveSinceMillis >= minAliveMillis;
    }
  }

  /** Why HBase cannot be read; null if it can. Sends a probe if due; never blocks. */
  @Nullable String problem() {
    sendIfDue(failure() == null ? QUIET_INTERVAL_MILLIS : INTERVAL_MILLIS);
    return failure();
  }

  private synchronized @Nullable String failure() {
    long waited = clock.millis() - probedMillis;
    return pending && waited > TIMEOUT_MILLIS
        ? "HBase has not answered a read for " + waited / 1000 + " s"
        : failure;
  }

  private void sendIfDue(long intervalMillis) {
    synchronized (this) {
      long now = clock.millis();
      if (pending || now - probedMillis < intervalMillis) {
        return;
      }
      pending = true;
      probedMillis = now;
    }
    try {
      storage
          .probe()
          .addCallbacks(
              answer -> {
                answered(null);
                return null;
              },
              failed -> {
                answered((Throwable) failed);
                return null;
              });
    } catch (RuntimeException e) {
      answered(e);
    }
  }

  private synchronized void answered(@Nullable Throwable cause) {
    pending = false;
    failure = cause == null ? null : "HBase refuses a read: " + StorageFailure.of(cause).describe();
    long now = clock.millis();
    if (cause != null || now - probedMillis > TIMEOUT_MILLIS) {
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
