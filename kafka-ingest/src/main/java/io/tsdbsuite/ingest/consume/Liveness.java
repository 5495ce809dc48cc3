package io.tsdbsuite.ingest.consume;

/**
 * Tells an answer that is lost from an HBase that answers nobody: writes to the latter wait in its
 * client, and are done once it is back. Thread-safe.
 *
 * <p>HBase is asked only while it owes an answer for too long.
 */
final class Liveness {
  private static final long EVERY_MILLIS = 1_000;

  /** An answer that takes longer is none: the question has waited for an HBase that was away. */
  private static final long LATE_MILLIS = 10_000;

  private final Storage storage;
  private final Uptime uptime;
  private final long graceMillis;
  private boolean open;
  private long askedMillis;
  private long aliveMillis = -1;

  /**
   * Knows nothing yet.
   *
   * @param graceMillis HBase must have answered for so long, so that what waited for it is answered
   *     before
   */
  Liveness(Storage storage, Uptime uptime, long graceMillis) {
    this.storage = storage;
    this.uptime = uptime;
    this.graceMillis = graceMillis;
    this.askedMillis = uptime.millis() - EVERY_MILLIS;
  }

  /** Whether HBase has answered questions of late, all of them and soon. Asks, and never waits. */
  boolean isConfirmed() {
    boolean ask;
    boolean confirmed;
    synchronized (this) {
      long now = uptime.millis();
      if (open && now - askedMillis > LATE_MILLIS) {
        aliveMillis = -1;
      }
      ask = !open && now - askedMillis >= EVERY_MILLIS;
      if (ask) {
        open = true;
        askedMillis = now;
      }
      confirmed = aliveMillis >= 0 && now - aliveMillis >= graceMillis;
    }
    if (ask) {
      ask();
    }
    return confirmed;
  }

  private void ask() {
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

  private synchronized void answered(boolean well) {
    open = false;
    long now = uptime.millis();
    if (!well || now - askedMillis > LATE_MILLIS) {
      aliveMillis = -1;
    } else if (aliveMillis < 0) {
      aliveMillis = now;
    }
  }

  /** Nothing is owed for too long: what was learned is of no use for the next time. */
  synchronized void forget() {
    aliveMillis = -1;
  }
}
