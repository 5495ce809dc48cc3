package io.tsdbsuite.bulk.group;

import java.time.Instant;

/** Two values of one instant, with {@link OnConflict#FAIL}. */
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
   * The message for the user.
   *
   * @param names metric and tags
   * @param baseTime of the row, seconds since the epoch, UTC
   * @param source where the points come from, empty if that is not known
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
