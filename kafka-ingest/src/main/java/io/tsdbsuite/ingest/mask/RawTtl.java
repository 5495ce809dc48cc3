package io.tsdbsuite.ingest.mask;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;

/**
 * The TTL of the table of raw points. HBase's client in a TSD cannot ask for it, so it is
 * configured. Immutable.
 */
public final class RawTtl {
  /** A table whose points do not expire. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** Covers differences between the clocks of producers, TSDs and region servers; rollup-job's. */
  private static final long MARGIN_SECONDS = 86_400;

  private static final long DAY = 86_400;

  private final long seconds;

  /**
   * Creates a TTL.
   *
   * @param seconds TTL of the column family, or {@link #FOREVER}
   */
  public RawTtl(long seconds) {
    this.seconds = seconds;
  }

  /**
   * Rejects a row that the TTL may have begun to remove. Points are written at their own time or
   * later, so a row is complete if its first instant has not expired.
   *
   * @param baseTime base time of the oldest row, seconds since the epoch
   * @param nowMillis milliseconds since the epoch
   */
  public void require(long baseTime, long nowMillis) throws BadMessageException {
    long first = first(nowMillis);
    if (baseTime < first) {
      throw new BadMessageException(
          Reason.EXPIRED,
          String.format(
              "the first row of raw points must be of %s or later, the TTL of the table plus"
                  + " one day, found %s",
              first, baseTime));
    }
  }

  /**
   * Whether the TTL may have begun to remove the day (UTC) of an hour, so that nobody rolls it up
   * again: its rollups are the better answer, also without a point that came now.
   *
   * @param hour seconds since the epoch
   * @param nowMillis milliseconds since the epoch
   */
  boolean mayLackDayOf(long hour, long nowMillis) {
    return hour - hour % DAY < first(nowMillis);
  }

  /** The first base time of complete rows, seconds since the epoch. */
  private long first(long nowMillis) {
    return seconds == FOREVER ? Long.MIN_VALUE : nowMillis / 1000 - seconds + MARGIN_SECONDS;
  }
}
