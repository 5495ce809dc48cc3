package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.Storage;
import io.tsdbsuite.ingest.store.StorageFailure;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row of HBase now and then, each time another one: HBase may be down while the group has
 * nothing to write. Also distinguishes a lost answer from an HBase that answers no request: writes
 * to the latter wait in its client and complete after HBase has recovered. Thread-safe.
 *
 * <p>A single row that cannot be read is in a region that moves or whose server has just died, for
 * a minute at most: all TSDs of a cluster see that, and queries of other rows work.
 */
final class HBaseProbe {
  private static final long INTERVAL_MILLIS = 1_000;

  /** While HBase answers, and no answer is overdue. */
  private static final long QUIET_INTERVAL_MILLIS = 10_000;

  /** A read that takes longer has waited for an unavailable HBase and counts as failed. */
  private static final long TIMEOUT_MILLIS = 10_000;

  /** Reads that fail in a row until HBase counts as unavailable. */
  private static final int FAILURES = 2;

  /** Reads without an answer in a row; HBase's client keeps them. */
  private static final int MAX_PENDING = 10;

  private final Storage storage;
  private final MonotonicClock clock;
  private final long minAliveMillis;

  /** Reads after the last one that was answered in time, without an answer. */
  private int pending;

  private int failures;
  private String failure = "";

  /** The last read: its number, its time, and whether it has neither an answer nor failed. */
  private long last;

  /** The number of the last read that was answered in time. */
  private long answeredInTime;

  private long probedMillis;
  private boolean open;
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
    this.probedMillis = clock.millis() - QUIET_INTERVAL_MILLIS;
  }

  /**
   * Whether HBase has answered all reads in time for long enough. Sends a probe if due; never
   * blocks.
   *
   * @param sinceMillis only reads from this time on count: an answer is overdue since then
   */
  boolean isAlive(long sinceMillis) {
    sendIfDue(INTERVAL_MILLIS);
    synchronized (this) {
      expire();
      return aliveSinceMillis >= 0
          && clock.millis() - Math.max(sinceMillis, aliveSinceMillis) >= minAliveMillis;
    }
  }

  /** Why HBase cannot be read; null if it can. Sends a probe if due; never blocks. */
  @Nullable String problem() {
    sendIfDue(hasFailed() ? INTERVAL_MILLIS : QUIET_INTERVAL_MILLIS);
    synchronized (this) {
      expire();
      return failures >= FAILURES || pending >= MAX_PENDING ? failure : null;
    }
  }

  private synchronized boolean hasFailed() {
    expire();
    return failures > 0;
  }

  private void expire() {
    if (open && clock.millis() - probedMillis > TIMEOUT_MILLIS) {
      open = false;
      failed("HBase does not answer reads: the last one for " + TIMEOUT_MILLIS / 1000 + " s");
    }
  }

  private void failed(String reason) {
    failures++;
    failure = reason;
    aliveSinceMillis = -1;
  }

  private void sendIfDue(long intervalMillis) {
    long number;
    synchronized (this) {
      expire();
      long now = clock.millis();
      if (open || pending >= MAX_PENDING || now - probedMillis < intervalMillis) {
        return;
      }
      open = true;
      pending++;
      probedMillis = now;
      number = ++last;
    }
    try {
      storage
          .probe()
          .addCallbacks(
              answer -> {
                answered(number, null);
                return null;
              },
              failed -> {
                answered(number, (Throwable) failed);
                return null;
              });
    } catch (Throwable e) {
      answered(number, e);
    }
  }

  private synchronized void answered(long number, @Nullable Throwable cause) {
    expire();
    boolean inTime = open && number == last;
    if (inTime) {
      open = false;
    }
    if (number > answeredInTime) {
      pending--;
    }
    if (cause == null) {
      // Late or not: HBase reads again.
      failures = 0;
    } else if (inTime) {
      failed("HBase refuses reads: " + StorageFailure.of(cause).describe());
    }
    if (cause == null && inTime) {
      // The answers of earlier ones may be lost.
      pending = 0;
      answeredInTime = number;
      if (aliveSinceMillis < 0) {
        aliveSinceMillis = clock.millis();
      }
    }
  }
}
