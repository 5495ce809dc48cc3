package io.tsdbsuite.format.rollup;

import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A duration in OpenTSDB's notation: a number and one unit, for example {@code 10m}. */
public final class Duration {
  final long number;
  final char unit;

  private Duration(long number, char unit) {
    this.number = number;
    this.unit = unit;
  }

  /**
   * Parses a positive number of at most nine digits and one unit of {@code smhdwny}, in any case.
   * The TSD also accepts text between the two; this parser does not.
   *
   * @return null if the text has another form
   */
  public static @Nullable Duration parse(@Nullable String text) {
    if (text == null || text.length() < 2 || text.length() > 10) {
      return null;
    }
    int last = text.length() - 1;
    for (int i = 0; i < last; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return null;
      }
    }
    char unit = text.toLowerCase(Locale.ROOT).charAt(last);
    long number = Long.parseLong(text.substring(0, last));
    return number > 0 && "smhdwny".indexOf(unit) >= 0 ? new Duration(number, unit) : null;
  }

  /**
   * Parses a duration of an option, which may also be zero with a unit, to seconds.
   *
   * @return empty if the text has another form
   */
  public static OptionalLong parseSeconds(String text) {
    if (text.matches("(?i)0+[smhdwny]")) {
      return OptionalLong.of(0);
    }
    Duration duration = parse(text);
    return duration == null ? OptionalLong.empty() : OptionalLong.of(duration.seconds());
  }

  /** The length in seconds; a month has 30 days and a year 365. */
  public long seconds() {
    switch (unit) {
      case 's':
        return number;
      case 'm':
        return number * 60;
      case 'h':
        return number * 3600;
      case 'd':
        return number * 86400;
      case 'w':
        return number * 7 * 86400;
      case 'n':
        return number * 30 * 86400;
      default:
        return number * 365 * 86400;
    }
  }
}
