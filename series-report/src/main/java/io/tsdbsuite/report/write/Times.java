package io.tsdbsuite.report.write;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Formats times and ages. */
final class Times {
  private Times() {}

  /** ISO-8601, UTC, whole seconds. */
  static String utc(long millis) {
    return Instant.ofEpochSecond(TimeUnit.MILLISECONDS.toSeconds(millis)).toString();
  }

  /** The same; the given text for null. */
  static String utc(@Nullable Long millis, String none) {
    return millis == null ? none : utc(millis);
  }

  /** An age as days and hours, hours and minutes, or minutes. */
  static String age(long millis) {
    long minutes = TimeUnit.MILLISECONDS.toMinutes(Math.max(0, millis));
    long hours = minutes / 60;
    long days = hours / 24;
    if (days > 0) {
      return days + "d " + hours % 24 + "h";
    }
    return hours > 0 ? hours + "h " + minutes % 60 + "m" : minutes + "m";
  }
}
