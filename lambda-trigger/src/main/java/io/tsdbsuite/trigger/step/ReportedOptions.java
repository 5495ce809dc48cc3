package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.config.JobSettings;
import io.tsdbsuite.trigger.report.JobReport;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Compares JOB_OPTIONS with the options that a report of the job tells. A report tells each option
 * as the job understood it: with the default where it was not given, and in one form. The job
 * refuses a report whose options differ from its own, so that a wrong answer here costs a night.
 */
final class ReportedOptions {
  private static final String INTERVAL = "--interval";
  private static final String METRICS = "--metrics";

  /** The job's defaults, as its report tells them. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          INTERVAL,
          "1h",
          METRICS,
          "",
          "--sink",
          "kafka",
          "--format",
          "rollup",
          "--partition-by",
          "series",
          "--partitions-per-metric",
          "1",
          "--partition-size",
          "256.0",
          "--as-of",
          "snapshot");

  /** What the job compares for --since-report. */
  static final List<String> OF_SEARCH = List.of(INTERVAL, METRICS, "--sink");

  /** What the job compares for --resume, as far as JOB_OPTIONS may have it. */
  static final List<String> OF_RESUME =
      List.of(
          INTERVAL,
          METRICS,
          "--sink",
          "--format",
          "--partition-by",
          "--partitions-per-metric",
          "--partition-size",
          "--as-of");

  private final JobSettings job;

  ReportedOptions(JobSettings job) {
    this.job = job;
  }

  /**
   * Whether the report's run had the option as a run would have it now.
   *
   * @param name one of {@link #OF_SEARCH} or {@link #OF_RESUME}
   */
  boolean isSame(JobReport report, String name) {
    List<String> values = job.values(name);
    String now = values.isEmpty() ? DEFAULTS.getOrDefault(name, "") : String.join(",", values);
    return form(name, now).equals(form(name, report.option(name)));
  }

  /** One form for all ways to write a value. */
  private static String form(String name, String value) {
    switch (name) {
      case METRICS:
        // The order decides, and the job keeps it.
        return value;
      case INTERVAL:
        // The job sorts by length; any order does that both sides get.
        return Arrays.stream(value.split(",", -1))
            .map(String::strip)
            .sorted()
            .collect(Collectors.joining(","));
      case "--partitions-per-metric":
      case "--partition-size":
        return number(value);
      default:
        // The job takes its words in upper case too.
        return value.toLowerCase(Locale.ROOT);
    }
  }

  private static String number(String value) {
    try {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      // The job refuses it, and says so.
      return value;
    }
  }
}
