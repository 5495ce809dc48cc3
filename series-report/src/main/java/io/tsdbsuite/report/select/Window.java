package io.tsdbsuite.report.select;

/**
 * Range of the last received times that a report selects; ms since the epoch.
 *
 * @param from inclusive
 * @param to inclusive
 */
public record Window(long from, long to) {
  /** Last received at least this many ms ago. */
  public static Window idle(long now, long millis) {
    return new Window(Long.MIN_VALUE, now - millis);
  }

  /**
   * Last received within a period, but not within the grace period at its end.
   *
   * @param millis length of the period, ms
   * @param grace maximum age of the last received time of a live series, ms
   */
  public static Window stopped(long now, long millis, long grace) {
    return new Window(now - millis, now - grace);
  }

  /** Whether the window contains a time, ms since the epoch. */
  public boolean contains(long millis) {
    return millis >= from && millis <= to;
  }
}
