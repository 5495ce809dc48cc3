package io.tsdbsuite.ingest.consume;

/**
 * Limits the points that HBase has not answered yet. Thread-safe.
 *
 * <p>A failure lowers the limit to its minimum. Every later success raises it by the points that
 * were stored, so it doubles with each round of answers. This avoids a thundering herd when HBase
 * recovers.
 */
final class InFlightLimit {
  static final int MIN = 64;

  private final int max;
  private int limit;
  private int used;
  private long expired;

  InFlightLimit(int max) {
    this.max = max;
    this.limit = max;
  }

  /** Points that a message counts for; a message larger than the maximum is written alone. */
  private int share(int points) {
    return Math.min(points, max);
  }

  /** Waits until the points are within the limit; returns false on a timeout. */
  synchronized boolean acquire(int points, long millis) throws InterruptedException {
    int share = share(points);
    long until = System.nanoTime() + millis * 1_000_000;
    while (!fits(share)) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    used += share;
    return true;
  }

  private boolean fits(int share) {
    return used == 0 || used + share <= limit;
  }

  /** Releases the points of a message that was stored or has failed, and adapts the limit. */
  synchronized void release(int points, boolean stored) {
    int share = share(points);
    used -= share;
    limit = stored ? (int) Math.min(max, (long) limit + share) : Math.min(MIN, max);
    notifyAll();
  }

  /** Releases the points of a message that was not written; the limit stays. */
  synchronized void cancel(int points) {
    used -= share(points);
    notifyAll();
  }

  /** Releases the points of a message whose answers are no longer waited for. */
  synchronized void expire(int points) {
    expired += share(points);
    cancel(points);
  }

  /** All answers for an expired message have come. */
  synchronized void lateAnswer(int points) {
    expired -= share(points);
  }

  /**
   * Whether more points may expire. HBase's client may still hold all expired points, so these are
   * limited to the maximum, too.
   */
  synchronized boolean mayExpire() {
    return expired < max;
  }

  synchronized int used() {
    return used;
  }

  synchronized int limit() {
    return limit;
  }
}
