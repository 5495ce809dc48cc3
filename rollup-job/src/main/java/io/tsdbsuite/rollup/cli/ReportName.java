package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.input.RollupOptions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * The default name of the report, in the current directory. It makes every crashed run resumable
 * without preparation. The name contains the start time, so a restarted run does not replace the
 * report of the crashed one.
 */
final class ReportName {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HH").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private ReportName() {}

  /** For example {@code rollup-job-20261119T00-20261120T00-1m-1h-started-20261120T031500Z.json}. */
  static String of(RollupOptions options, Instant now) {
    return "rollup-job-"
        + HOUR.format(Instant.ofEpochSecond(options.from()))
        + "-"
        + HOUR.format(Instant.ofEpochSecond(options.to()))
        + "-"
        + options.intervals().text().replace(',', '-')
        + "-started-"
        + SECOND.format(now)
        + ".json";
  }
}
