package io.tsdbsuite.ingest.mask;

/**
 * Which points are late: those that are stored more than a minute after the end of their hour.
 * Whether the hour is covered does not matter, since a window that is written later may be as of an
 * earlier time.
 */
public final class MaskRule {
  static final long HOUR = 3600;

  /** No point that is stored this long after the end of its hour is late, milliseconds. */
  static final long GRACE = 60_000;

  private static final long SECONDS = 0xFFFF_FFFFL;

  private MaskRule() {}

  /**
   * The hour of a point.
   *
   * @param timestamp seconds or milliseconds since the epoch, as OpenTSDB tells them apart
   * @return its start, seconds since the epoch
   */
  public static long hour(long timestamp) {
    long seconds = timestamp > SECONDS ? timestamp / 1000 : timestamp;
    return seconds - seconds % HOUR;
  }

  /**
   * Whether a point that is stored now is late.
   *
   * @param hour its hour's start, seconds since the epoch
   * @param now milliseconds since the epoch
   */
  public static boolean isLate(long hour, long now) {
    return now > (hour + HOUR) * 1000 + GRACE;
  }
}
