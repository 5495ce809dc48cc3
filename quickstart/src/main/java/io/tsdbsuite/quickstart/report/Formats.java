package io.tsdbsuite.quickstart.report;

import io.tsdbsuite.job.page.Numbers;
import java.time.Instant;

/** Times and ratios as the page shows them. */
final class Formats {
  private static final int DATE = 10;
  private static final int SECOND = 19;

  private Formats() {}

  /** The date of a time, UTC. */
  static String date(long seconds) {
    return time(seconds).substring(0, DATE);
  }

  /** Date and time to the second, UTC. */
  static String time(long seconds) {
    return Instant.ofEpochSecond(seconds).toString().replace('T', ' ').substring(0, SECOND);
  }

  /** Milliseconds. */
  static String millis(double value) {
    return Numbers.grouped(value, value < 100 ? 1 : 0) + " ms";
  }

  /** How many times more. */
  static String times(double ratio) {
    return Numbers.grouped(ratio, 0) + "\u00d7";
  }
}
