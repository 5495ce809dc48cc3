package io.tsdbsuite.bulk.group;

import java.time.Instant;

/**
 * Thrown with {@link OnConflict#FAIL} when one series has two different values at the same instant.
 */
public final class ConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int offsetMillis;
  private final String earlier;
  private final String later;

  ConflictException(int offsetMillis, String earlier, String later) {
    super(earlier + " and " + later + " at " + offsetMillis + " ms");
    this.offsetMillis = offsetMillis;
    this.earlier = earlier;
    this.later = later;
  }

  /**
   * Returns the message for the user.
   *
   * @param names metric and tags of the series
   * @param baseTime base time of the row, seconds since the epoch, UTC
   * @param source name of the input file of the points; empty if it is not known
   */
  public String message(String names, long baseTime, String source) {
    long millis = baseTime * 1000 + offsetMillis;
    return "an instant must have one value unless --on-conflict is first, last or max; found "
        + earlier
        + " and "
        + later
        + " at "
        + (millis % 1000 == 0 ? millis / 1000 : millis)
        + " ("
        + Instant.ofEpochMilli(millis)
        + ") of "
        + names
        + (source.isEmpty() ? "" : " in " + source);
  }
}
