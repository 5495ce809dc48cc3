package io.tsdbsuite.rollup.plan;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;

/** Parses hours and days from options; UTC unless an offset is given. */
public final class HourParser {
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
   * Parses an hour.
   *
   * @return seconds since the epoch, UTC
   * @throws IllegalArgumentException naming the rule and the value, when the text is not a time, is
   *     not on the hour, or exceeds the 32 bits of a base time
   */
  public static long hour(String option, String text) {
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

  /** Parses a day; returns its first second, as {@link #hour}. */
  public static long day(String option, String text) {
    try {
      return hour(option, LocalDate.parse(text).toString());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          option + " must be a date like 2026-11-19, found: " + text, e);
    }
  }

  /**
   * Parses an instant.
   *
   * @throws IllegalArgumentException naming the rule and the value, when the text is not a time
   */
  public static Instant time(String option, String text) {
    for (Function<String, Instant> form : FORMS) {
      try {
        return form.apply(text);
      } catch (DateTimeException | NumberFormatException e) {
        // Try the next form; after the last one the message below follows.
      }
    }
    throw new IllegalArgumentException(
        ("%s must be ISO-8601 (2026-11-19, 2026-11-19T05:00:00Z) or seconds since the"
                + " epoch, found: %s")
            .formatted(option, text));
  }
}
