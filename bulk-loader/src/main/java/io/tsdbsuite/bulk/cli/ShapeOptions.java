package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.UsageException;
import io.tsdbsuite.synthetic.ValueShape;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of synthetic points. */
final class ShapeOptions {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d|y)");

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      defaultValue = "synthetic",
      description = "Metric name, or prefix of several. Default: ${DEFAULT-VALUE}.")
  String metric = "synthetic";

  @Option(
      names = "--metrics",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of metrics. Default: ${DEFAULT-VALUE}.")
  int metrics = 1;

  @Option(
      names = "--sensors",
      paramLabel = "N",
      defaultValue = "128",
      description = "Series of each metric. Default: ${DEFAULT-VALUE}.")
  int sensors = 128;

  @Option(
      names = "--tags",
      paramLabel = "N",
      defaultValue = "1",
      description = "Tags of each series, 1 to 8. Default: ${DEFAULT-VALUE}.")
  int tags = 1;

  @Option(
      names = "--every",
      paramLabel = "SPAN",
      defaultValue = "1s",
      description =
          "Interval of the points of a series: 1s, 15s, 1m, 100ms. Default: ${DEFAULT-VALUE}.")
  String every = "1s";

  @Option(
      names = "--start",
      paramLabel = "TIME",
      defaultValue = "2025-01-01T00:00:00Z",
      description = "Time of the first point, ISO-8601, UTC. Default: ${DEFAULT-VALUE}.")
  String start = "2025-01-01T00:00:00Z";

  @Option(
      names = "--span",
      paramLabel = "SPAN",
      defaultValue = "1d",
      description = "Time span: 6h, 30d, 1y (365 days). Default: ${DEFAULT-VALUE}.")
  String span = "1d";

  @Option(
      names = "--values",
      paramLabel = "SHAPE",
      defaultValue = "gauge-int",
      description =
          "counter, gauge-int, gauge (two decimals), float, mixed (all types and widths) or"
              + " constant. Default: ${DEFAULT-VALUE}.")
  String values = "gauge-int";

  @Option(
      names = "--jitter",
      paramLabel = "SPAN",
      defaultValue = "0ms",
      description = "Random delay of points, at most. Default: ${DEFAULT-VALUE}.")
  String jitter = "0ms";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of values and delays. The same options and seed generate the same points. Default:"
              + " ${DEFAULT-VALUE}.")
  long seed = 1;

  /** The shape; null when there are problems. */
  @Nullable SyntheticShape read(Problems problems) {
    Duration interval = span("--every", every, problems);
    Duration length = span("--span", span, problems);
    Duration late = span("--jitter", jitter, problems);
    Instant first = null;
    try {
      first = Instant.parse(start);
    } catch (DateTimeParseException e) {
      problems.add("--start must be ISO-8601 in UTC, as 2025-01-01T00:00:00Z, found: " + start);
    }
    ValueShape shape = null;
    try {
      shape = ValueShape.of(values);
    } catch (UsageException e) {
      problems.add("--values: " + e.getMessage());
    }
    if (interval == null || length == null || late == null || first == null || shape == null) {
      return null;
    }
    try {
      return new SyntheticShape(
          metric,
          metrics,
          sensors,
          tags,
          interval.toMillis(),
          first,
          length,
          shape,
          (int) Math.min(Integer.MAX_VALUE, late.toMillis()),
          seed);
    } catch (UsageException e) {
      String.valueOf(e.getMessage()).lines().forEach(problems::add);
      return null;
    }
  }

  private static @Nullable Duration span(String option, String text, Problems problems) {
    Matcher matcher = SPAN.matcher(text);
    if (!matcher.matches()) {
      problems.add(option + " must be a number and ms, s, m, h, d or y, found: " + text);
      return null;
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofDays(365 * number);
    };
  }
}
