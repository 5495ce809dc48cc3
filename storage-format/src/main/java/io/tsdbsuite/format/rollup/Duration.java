package io.tsdbsuite.format.rollup;

import java.util.Locale;

/** A duration as OpenTSDB writes it, for example {@code 10m}: a number and one unit. */
public final class Duration {
  final long number;
  final char unit;

  private Duration(long number, char unit) {
    this.number = number;
    this.unit = unit;
  }

  /**
   * Reads a positive number, at most nine digits, and a unit out of {@code smhdwny}, in any case;
   * null if the text is anything else. The TSD also takes text between the two; we do not.
   */
  public static Duration parse(String text) {
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

  /** Seconds, a month being 30 days and a year 365. */
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
