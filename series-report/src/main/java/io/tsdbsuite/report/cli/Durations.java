package io.tsdbsuite.report.cli;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Parses whole numbers and durations; an invalid text becomes a problem. */
final class Durations {
  /** 100 years: subtracted from the current time it still gives a valid time. */
  private static final long MOST_MILLIS = TimeUnit.DAYS.toMillis(36_500);

  private static final String UNITS = "smhdw";
  private static final long[] UNIT_SECONDS = {1, 60, 3600, 86_400, 604_800};

  private Durations() {}

  /**
   * A duration as OpenTSDB writes it: a number with s, m, h, d or w.
   *
   * @return ms; 0 after a problem
   */
  static long millis(String option, String text, List<String> problems) {
    int unit = text.isEmpty() ? -1 : UNITS.indexOf(text.charAt(text.length() - 1));
    if (unit >= 0) {
      Long number = number(text.substring(0, text.length() - 1));
      if (number != null && number <= MOST_MILLIS / 1000 / UNIT_SECONDS[unit]) {
        return TimeUnit.SECONDS.toMillis(number * UNIT_SECONDS[unit]);
      }
    }
    problems.add(
        option + " must be a number with s, m, h, d or w, at most 100 years, found: " + text);
    return 0;
  }

  /**
   * A number of days or hours, 1 or more.
   *
   * @return ms; 0 after a problem
   */
  static long millis(String option, String text, TimeUnit unit, List<String> problems) {
    Long number = number(text);
    if (number != null
        && number >= 1
        && number <= unit.convert(MOST_MILLIS, TimeUnit.MILLISECONDS)) {
      return unit.toMillis(number);
    }
    problems.add(
        "%s must be a whole number of %s, 1 or more, at most 100 years, found: %s"
            .formatted(option, unit.name().toLowerCase(Locale.ROOT), text));
    return 0;
  }

  /**
   * A whole number, 1 or more.
   *
   * @return 1 after a problem
   */
  static int count(String option, String text, List<String> problems) {
    Long number = number(text);
    if (number != null && number >= 1 && number <= Integer.MAX_VALUE) {
      return number.intValue();
    }
    problems.add(option + " must be a whole number, 1.." + Integer.MAX_VALUE + ", found: " + text);
    return 1;
  }

  /** Null unless the text is digits only, at most 18. */
  private static @Nullable Long number(String text) {
    return text.matches("[0-9]{1,18}") ? (Long) Long.parseLong(text) : null;
  }
}
