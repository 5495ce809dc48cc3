package io.tsdbsuite.ingest.consume;

/**
 * Points that HBase may owe an answer for. Thread-safe.
 *
 * <p>A failure shrinks the window to its smallest; every answer after that lets it grow by what was
 * answered, so it doubles with each round. An HBase that comes back is thus met by a few points and
 * not by all that have waited.
 */
final class InFlightWindow {
  static final int SMALLEST = 64;

  private final int largest;
  private int limit;
  private int used;
  private long givenUp;

  InFlightWindow(int largest) {
    this.largest = largest;
    this.limit = largest;
  }

  /** What a message takes of the window: one larger than the window passes alone. */
  private int share(int points) {
    return Math.min(points, largest);
  }

  /** Waits for room at most so long; false when there was none. */
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

  synchronized void release(int points, boolean stored) {
    int share = share(points);
    used -= share;
    limit = stored ? (int) Math.min(largest, (long) limit + share) : Math.min(SMALLEST, largest);
    notifyAll();
  }

  /** Gives back what was taken for a message that did not leave after all. */
  synchronized void cancel(int points) {
    used -= share(points);
    notifyAll();
  }

  /** Gives back what a message holds for which HBase owes an answer that is not waited for. */
  synchronized void giveUp(int points) {
    givenUp += share(points);
    cancel(points);
  }

  /** The answer came after all. */
  synchronized void late(int points) {
    givenUp -= share(points);
  }

  /**
   * Whether more may be given up: HBase's client may hold all of it, so that it is no more than the
   * window once again.
   */
  synchronized boolean mayGiveUp() {
    return givenUp < largest;
  }

  synchronized int used() {
    return used;
  }

  synchronized int limit() {
    return limit;
  }
}
