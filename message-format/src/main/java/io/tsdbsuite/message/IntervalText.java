package io.tsdbsuite.message;

/** The text of a rollup's interval, such as {@code 10m}. */
public final class IntervalText {
  private static final String UNITS = "smhdwny";
  private static final long[] SECONDS = {1, 60, 3600, 86400, 604_800, 2_592_000, 31_536_000};

  private static final int MAX_DIGITS = 9;

  private IntervalText() {}

  /**
   * The length of an interval, seconds: a positive number of at most nine digits and one unit of s,
   * m, h, d, w, n (30 days), y (365 days), in any case, as in rollup_config.json; 0 for a text of
   * another form.
   */
  public static long seconds(String interval) {
    int digits = interval.length() - 1;
    if (digits < 1 || digits > MAX_DIGITS) {
      return 0;
    }
    int unit = UNITS.indexOf(Character.toLowerCase(interval.charAt(digits)));
    long number = 0;
    for (int i = 0; i < digits; i++) {
      char c = interval.charAt(i);
      if (c < '0' || c > '9') {
        return 0;
      }
      number = 10 * number + (c - '0');
    }
    return unit < 0 ? 0 : number * SECONDS[unit];
  }
}
