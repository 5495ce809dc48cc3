package io.tsdbsuite.bulk.parse;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * Times as a TSD interprets them: below 2^32 seconds, else milliseconds. Times before
 * 1970-02-19T17:02:47.296Z (2^32 ms) in milliseconds are ambiguous, and usually seconds by mistake.
 * They are refused unless they are whole seconds.
 */
final class Timestamps {
  /** Result for an invalid time. */
  static final long BAD = -1;

  /** The rule for import lines and JSON. */
  static final String RULE =
      "a timestamp must be seconds or milliseconds since 1970, digits only, positive and before"
          + " 2106-02-07T06:28:16Z";

  /** The rule for times that are known to be milliseconds, or finer. */
  static final String MILLIS_RULE =
      "a timestamp finer than seconds must lie between 1970-02-19T17:02:47.296Z and"
          + " 2106-02-07T06:28:16Z";

  /** The rule for {@link #decimalSeconds}. */
  static final String DECIMAL_SECONDS_RULE =
      "a timestamp must be seconds with up to 3 decimals (more with --time-rounding), positive and"
          + " before 2106-02-07T06:28:16Z";

  /** The rule for {@link #decimalSeconds} that a number before 1973 breaks. */
  static final String EXCHANGED_RULE =
      "a timestamp must not lie before 1973-03-03T09:46:40Z (value and time exchanged?)";

  /** Plain text has value and time side by side: earlier times are likely to be values, seconds. */
  private static final long EARLIEST = 100_000_000;

  /** Digits of {@link #EARLIEST} and of the last second. */
  private static final int EARLIEST_DIGITS = 9;

  private static final int SECONDS_DIGITS = 10;

  /** Bytes of a time with an exponent. */
  private static final int LONGEST = 40;

  private static final long SECONDS_END = 1L << 32;
  private static final long MILLIS_END = SECONDS_END * 1000;

  private Timestamps() {}

  /** The time if a TSD can store it, in seconds or milliseconds by its size, else BAD. */
  static long either(long timestamp) {
    return timestamp > 0 && timestamp < MILLIS_END ? timestamp : BAD;
  }

  /** The time if it is in the range of seconds, else BAD. */
  static long seconds(long seconds) {
    return seconds > 0 && seconds < SECONDS_END ? seconds : BAD;
  }

  /** Whole seconds as seconds, other times as they are, BAD out of range. */
  static long millis(long millis) {
    if (millis < SECONDS_END || millis >= MILLIS_END) {
      return BAD;
    }
    return millis % 1000 == 0 ? millis / 1000 : millis;
  }

  /** Digits as {@link #either}, BAD if there is anything else. */
  static long read(byte[] b, int off, int end) {
    long value = 0;
    int p = off;
    if (end - off >= 8 && SwarDigits.areEight(Words.load(b, off))) {
      value = SwarDigits.eight(Words.load(b, off));
      p += 8;
    }
    for (; p < end; p++) {
      if (!SwarDigits.isDigit(b[p]) || value >= MILLIS_END) {
        return BAD;
      }
      value = value * 10 + (b[p] - '0');
    }
    return either(value);
  }

  /**
   * Whole seconds, or seconds with decimals, or with an exponent as OpenMetrics' and Python's
   * numbers have it; decimals behind the third must be 0, or are cut off with rounding. BAD before
   * 1973.
   */
  static long decimalSeconds(byte[] b, int off, int end, TimeRounding rounding) {
    long plain = plainSeconds(b, off, end, rounding);
    return plain == BAD ? secondsWithExponent(b, off, end, rounding) : plain;
  }

  private static long secondsWithExponent(byte[] b, int off, int end, TimeRounding rounding) {
    if (end - off > LONGEST) {
      return BAD;
    }
    BigDecimal seconds;
    try {
      seconds = new BigDecimal(new String(b, off, end - off, StandardCharsets.ISO_8859_1));
    } catch (NumberFormatException e) {
      return BAD;
    }
    // First the digits before the point: an exponent of a billion would make as many.
    long digits = (long) seconds.precision() - seconds.scale();
    if (digits < EARLIEST_DIGITS || digits > SECONDS_DIGITS) {
      return BAD;
    }
    BigDecimal millis = seconds.movePointRight(3).setScale(0, RoundingMode.FLOOR);
    boolean exact = millis.compareTo(seconds.movePointRight(3)) == 0;
    long time = millis.longValueExact();
    return time < EARLIEST * 1000 || !(exact || rounding.cuts()) ? BAD : millis(time);
  }

  private static long plainSeconds(byte[] b, int off, int end, TimeRounding rounding) {
    int dot = off;
    while (dot < end && b[dot] != '.') {
      dot++;
    }
    long seconds = seconds(read(b, off, dot));
    int fraction = 0;
    for (int p = dot + 1; p < end; p++) {
      if (!SwarDigits.isDigit(b[p]) || (p > dot + 3 && b[p] != '0' && !rounding.cuts())) {
        return BAD;
      }
    }
    for (int p = dot + 1; p <= dot + 3; p++) {
      fraction = fraction * 10 + (p < end ? b[p] - '0' : 0);
    }
    if (seconds < EARLIEST) {
      return BAD;
    }
    return fraction == 0 ? seconds : millis(seconds * 1000 + fraction);
  }

  /** The rule that a time breaks which {@link #decimalSeconds} refuses. */
  static String decimalSecondsRule(byte[] b, int off, int end, NumberText number) {
    NumberText.Kind kind = number.readAny(b, off, end);
    boolean early =
        (kind == NumberText.Kind.INTEGER && number.integer < EARLIEST)
            || (kind == NumberText.Kind.FLOATING && number.floating < EARLIEST);
    return early ? EXCHANGED_RULE : DECIMAL_SECONDS_RULE;
  }

  /**
   * {@code seconds.mmm} as milliseconds, as telnet's put has it; BAD if there are not exactly three
   * digits behind the dot, or, with rounding, fewer.
   */
  static long readDotted(byte[] b, int off, int end, TimeRounding rounding) {
    int dot = off;
    while (dot < end && b[dot] != '.') {
      dot++;
    }
    if (dot == off || end - dot < 4 || (end - dot > 4 && !rounding.cuts())) {
      return BAD;
    }
    long seconds = read(b, off, dot);
    for (int p = dot + 1; p < end; p++) {
      if (!SwarDigits.isDigit(b[p])) {
        return BAD;
      }
    }
    if (seconds == BAD || seconds >= SECONDS_END) {
      return BAD;
    }
    int fraction = (b[dot + 1] - '0') * 100 + (b[dot + 2] - '0') * 10 + (b[dot + 3] - '0');
    long millis = seconds * 1000 + fraction;
    return millis < SECONDS_END ? BAD : millis;
  }
}
