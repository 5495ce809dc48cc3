package io.tsdbsuite.report.select;

/** When a series must have been received last to be in a report; ms since the epoch, inclusive. */
public final class Window {
  private final long from;
  private final long to;

  private Window(long from, long to) {
    this.from = from;
    this.to = to;
  }

  /** Nothing for this long, or longer. */
  public static Window idle(long now, long millis) {
    return new Window(Long.MIN_VALUE, now - millis);
  }

  /**
   * Something in the last hours, and nothing since.
   *
   * @param millis how long ago the last point may be
   * @param grace how old the newest time of a living series may be
   */
  public static Window stopped(long now, long millis, long grace) {
    return new Window(now - millis, now - grace);
  }

  /** Whether a time is in it. */
  public boolean contains(long millis) {
    return millis >= from && millis <= to;
  }
}
