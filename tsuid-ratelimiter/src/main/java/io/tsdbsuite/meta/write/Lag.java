package io.tsdbsuite.meta.write;

/**
 * For how long writes have been behind: from the first that found no place or failed, until the
 * time at which it must have been tried again has passed without another. Thread-safe; a race makes
 * it wrong by one write.
 */
final class Lag {
  private volatile int since;
  private volatile int until = -1;

  /**
   * A write is behind.
   *
   * @param now seconds
   * @param triedBy when it will have been tried again, seconds
   */
  void behind(int now, int triedBy) {
    if (now > until) {
      since = now;
    }
    if (triedBy > until) {
      until = triedBy;
    }
  }

  /** Seconds, 0 if nothing is behind. */
  int seconds(int now) {
    return now > until ? 0 : now - since;
  }
}
