package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.report.JobReport;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Compares the further options of a run with the options in a report of the job. A report has the
 * effective value of each option, with defaults, in a canonical form. The job rejects a report
 * whose options differ from its own, so a wrong result here fails a night's run.
 */
final class ReportedOptions {
  private static final String INTERVAL = "--interval";
  private static final String METRICS = "--metrics";
  private static final String ANY_BUCKET = "--any-bucket";
  private static final String CHANGED_MARGIN = "--changed-margin";
  static final String UID_SOURCE = "--uid-source";

  /** The job's defaults, in the form of its report. */
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
          "snapshot",
          UID_SOURCE,
          "snapshot");

  /** The job's default, which is in no report. */
  private static final String DEFAULT_MARGIN = "5m";

  /** The options that the job compares for --since-report. */
  static final List<String> OF_SEARCH = List.of(INTERVAL, METRICS, "--sink");

  /** The options that the job compares for --resume and that the further options may contain. */
  static final List<String> OF_RESUME =
      List.of(
          INTERVAL,
          METRICS,
          "--sink",
          "--format",
          "--partition-by",
          "--partitions-per-metric",
          "--partition-size",
          "--as-of",
          UID_SOURCE,
          ANY_BUCKET);

  private final CommandOptions options;

  ReportedOptions(CommandOptions options) {
    this.options = options;
  }

  /**
   * Whether the report's run had the same value of the option as a run with these options.
   *
   * @param name one of {@link #OF_SEARCH} or {@link #OF_RESUME}
   */
  boolean isSame(JobReport report, String name) {
    return form(name, value(name)).equals(form(name, report.option(name)));
  }

  /** The value of an option, or the job's default. */
  String value(String name) {
    if (name.equals(ANY_BUCKET)) {
      return options.has(name) ? "true" : "";
    }
    List<String> values = options.values(name);
    return values.isEmpty() ? DEFAULTS.getOrDefault(name, "") : String.join(",", values);
  }

  /**
   * How long before an earlier snapshot the job searches for changed rows; zero if the value has
   * another form, which the job refuses.
   */
  Duration changedMargin() {
    List<String> given = options.values(CHANGED_MARGIN);
    String margin = given.isEmpty() ? DEFAULT_MARGIN : String.join(",", given);
    return Duration.ofSeconds(io.tsdbsuite.format.rollup.Duration.parseSeconds(margin).orElse(0));
  }

  /** The canonical form of a value. */
  private static String form(String name, String value) {
    return switch (name) {
      // The order is significant, and the job keeps it.
      case METRICS -> withoutEmpty(value);
      // The job sorts by length; any order works that both sides use.
      case INTERVAL -> sorted(withoutEmpty(value));
      case "--partitions-per-metric", "--partition-size" -> number(value);
      // The job also accepts its keywords in upper case.
      default -> value.toLowerCase(Locale.ROOT);
    };
  }

  /** The job drops a comma at the end of each value of a repeated option. */
  private static String withoutEmpty(String list) {
    return list.replaceAll(",+", ",").replaceAll(",$", "");
  }

  /** A comma-separated list whose order and spaces are irrelevant. */
  static String sorted(String list) {
    return Arrays.stream(list.split(",", -1))
        .map(String::strip)
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static String number(String value) {
    try {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      // The job rejects the value with its own message.
      return value;
    }
  }
}
