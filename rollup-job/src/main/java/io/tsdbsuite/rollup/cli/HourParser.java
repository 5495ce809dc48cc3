package io.tsdbsuite.rollup.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;

/** Reads hours and days as users write them; UTC where no offset is given. */
final class HourParser {
  private static final long HOUR = 3600;
  private static final long LARGEST = 0xffffffffL / HOUR * HOUR;
  private static final List<Function<String, Instant>> FORMS =
      List.of(
          text -> Instant.ofEpochSecond(Long.parseLong(text)),
          Instant::parse,
          text -> OffsetDateTime.parse(text).toInstant(),
          text -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC),
          text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));

  private HourParser() {}

  /**
   * An hour.
   *
   * @return seconds since the epoch, UTC
   * @throws IllegalArgumentException naming the rule and the value, when the text is no time, not
   *     on the hour, or beyond the 32 bits of a base time
   */
  static long hour(String option, String text) {
    long seconds = time(option, text).getEpochSecond();
    if (seconds < 0 || seconds > LARGEST) {
      throw new IllegalArgumentException(
          option + " must lie between 1970 and 2106 (seconds, not milliseconds), found: " + text);
    }
    if (seconds % HOUR != 0) {
      throw new IllegalArgumentException(option + " must be on the hour, UTC, found: " + text);
    }
    return seconds;
  }

  /** The first second of a day, as {@link #hour}. */
  static long day(String option, String text) {
    try {
      return hour(option, LocalDate.parse(text).toString());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          option + " must be a date like 2026-11-19, found: " + text, e);
    }
  }

  /**
   * Any instant.
   *
   * @throws IllegalArgumentException naming the rule and the value, when the text is no time
   */
  static Instant time(String option, String text) {
    for (Function<String, Instant> form : FORMS) {
      try {
        return form.apply(text);
      } catch (DateTimeException | NumberFormatException e) {
        // Not this form; the last of them ends in the message below.
      }
    }
    throw new IllegalArgumentException(
        option
            + " must be ISO-8601 (2026-11-19, 2026-11-19T05:00:00Z) or seconds since the epoch,"
            + " found: "
            + text);
  }
}
