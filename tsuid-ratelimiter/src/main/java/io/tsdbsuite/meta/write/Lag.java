package io.tsdbsuite.meta.write;

/**
 * Time for which writes have been late: from the first write that was deferred or failed, until its
 * retry is due and no other write was deferred or failed. Thread-safe; a race makes it wrong by one
 * write.
 */
final class Lag {
  private volatile int since;
  private volatile int until = -1;

  /**
   * A write is late.
   *
   * @param now seconds
   * @param triedBy latest second of the retry
   */
  void behind(int now, int triedBy) {
    if (now > until) {
      since = now;
    }
    if (triedBy > until) {
      until = triedBy;
    }
  }

  /** Seconds, 0 if no write is late. */
  int seconds(int now) {
    return now > until ? 0 : now - since;
  }
}
