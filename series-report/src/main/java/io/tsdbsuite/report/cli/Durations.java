package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.cli.Problems;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Parses whole numbers and durations; an invalid text becomes a problem. */
final class Durations {
  /** 100 years: subtracted from the current time it still gives a valid time. */
  private static final long MOST_DAYS = 36_500;

  private static final String UNITS = "smhdw";
  private static final long[] UNIT_SECONDS = {1, 60, 3600, 86_400, 604_800};

  private Durations() {}

  /**
   * A duration as OpenTSDB writes it: a number with s, m, h, d or w.
   *
   * @return ms; 0 after a problem
   */
  static long millis(String option, String text, Problems problems) {
    int last = text.length() - 1;
    int unit = last < 0 ? -1 : UNITS.indexOf(text.charAt(last));
    long seconds = unit < 0 ? 1 : UNIT_SECONDS[unit];
    long most = TimeUnit.DAYS.toSeconds(MOST_DAYS) / seconds;
    long number = unit < 0 ? -1 : number(text.substring(0, last), most);
    if (number < 0) {
      problems.add(
          option + " must be a number with s, m, h, d or w, at most 100 years, found: " + text);
      return 0;
    }
    return TimeUnit.SECONDS.toMillis(number * seconds);
  }

  /**
   * A number of days or hours, 1 or more.
   *
   * @return ms; 0 after a problem
   */
  static long millis(String option, String text, TimeUnit unit, Problems problems) {
    long number = number(text, unit.convert(MOST_DAYS, TimeUnit.DAYS));
    if (number < 1) {
      problems.add(
          "%s must be a whole number of %s, 1 or more, at most 100 years, found: %s"
              .formatted(option, unit.name().toLowerCase(Locale.ROOT), text));
      return 0;
    }
    return unit.toMillis(number);
  }

  /**
   * A whole number, 1 or more.
   *
   * @return 1 after a problem
   */
  static int count(String option, String text, Problems problems) {
    long number = number(text, Integer.MAX_VALUE);
    if (number < 1) {
      problems.add(
          option + " must be a whole number, 1.." + Integer.MAX_VALUE + ", found: " + text);
      return 1;
    }
    return (int) number;
  }

  /** -1 unless the text is digits only, a number up to the most. */
  private static long number(String text, long most) {
    long number = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    return number > most ? -1 : number;
  }
}
