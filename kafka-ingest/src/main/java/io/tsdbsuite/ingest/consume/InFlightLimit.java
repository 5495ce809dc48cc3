package io.tsdbsuite.ingest.consume;

/**
 * Limits the points that HBase has not answered yet, and the bytes of their messages, which are in
 * memory until then. Thread-safe.
 *
 * <p>A failure lowers the limit of points to its minimum. Every later success raises it by the
 * points that were stored, so it doubles with each round of answers. This avoids a thundering herd
 * when HBase recovers.
 */
final class InFlightLimit {
  static final int MIN = 64;

  /** A message of one point rarely has more; arrays have less for each of their points. */
  private static final long BYTES_PER_POINT = 1024;

  private static final long MIN_BYTES = 64L << 20;

  private final int max;
  private final long maxBytes;
  private int limit;
  private int used;
  private long usedBytes;
  private long expired;
  private long expiredBytes;

  InFlightLimit(int max) {
    this.max = max;
    this.maxBytes = Math.max(MIN_BYTES, max * BYTES_PER_POINT);
    this.limit = max;
  }

  /** Points that a message counts for; a message larger than the maximum is written alone. */
  private int share(int points) {
    return Math.min(points, max);
  }

  /** Waits until a message is within the limits; returns false on a timeout. */
  synchronized boolean acquire(int points, long bytes, long millis) throws InterruptedException {
    int share = share(points);
    long until = System.nanoTime() + millis * 1_000_000;
    while (!fits(share, bytes)) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    used += share;
    usedBytes += bytes;
    return true;
  }

  private boolean fits(int share, long bytes) {
    return used == 0 || (used + share <= limit && usedBytes + bytes <= maxBytes);
  }

  /** Releases a message that was stored or has failed, and adapts the limit. */
  synchronized void release(int points, long bytes, boolean stored) {
    int share = share(points);
    limit = stored ? (int) Math.min(max, (long) limit + share) : Math.min(MIN, max);
    cancel(points, bytes);
  }

  /** Releases a message that was not written; the limit stays. */
  synchronized void cancel(int points, long bytes) {
    used -= share(points);
    usedBytes -= bytes;
    notifyAll();
  }

  /** Releases a message whose answers are no longer waited for. */
  synchronized void expire(int points, long bytes) {
    expired += share(points);
    expiredBytes += bytes;
    cancel(points, bytes);
  }

  /** All answers for an expired message have come. */
  synchronized void lateAnswer(int points, long bytes) {
    expired -= share(points);
    expiredBytes -= bytes;
  }

  /**
   * Whether more messages may expire. HBase's client may still hold all expired ones, so these are
   * limited, too.
   */
  synchronized boolean mayExpire() {
    return expired < max && expiredBytes < maxBytes;
  }

  synchronized int used() {
    return used;
  }

  synchronized int limit() {
    return limit;
  }
}
