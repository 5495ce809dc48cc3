package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.plan.HourParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose windows and masks of the coverage. */
final class BoundsOptions {
  @Option(
      names = "--interval",
      paramLabel = "INTERVAL",
      split = ",",
      description = "Only windows of these intervals, for example 1h,1d. Default: all.")
  List<String> intervals = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Only windows and masks that end after it: ISO-8601 (2026-11-19, 2026-11-19T05:00:00Z) or"
              + " seconds since the epoch; UTC. Default: all.")
  @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Only windows and masks that begin before it; written like --from.")
  @Nullable String to;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description =
          "Only windows that select the metric of this name, and its masks. Can be repeated."
              + " Default: all.")
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--writer",
      paramLabel = "NAME",
      description =
          "Only windows of this writer, the last part of the row key. Can be repeated. Default:"
              + " all.")
  List<String> writers = new ArrayList<>();

  /** Reads the bounds; without those that have problems. */
  CoverageBounds read(Problems problems) {
    long begin = seconds("--from", from, CoverageBounds.BEGINNING, problems);
    long end = seconds("--to", to, CoverageBounds.END, problems);
    if (begin >= end) {
      problems.add("--from must be before --to, found: " + from + " and " + to);
    }
    return new CoverageBounds(
        Set.copyOf(intervals), begin, end, List.copyOf(metrics), Set.copyOf(writers));
  }

  private static long seconds(
      String option, @Nullable String text, long without, Problems problems) {
    return text == null
        ? without
        : Objects.requireNonNullElse(
            problems.tried(() -> HourParser.time(option, text).getEpochSecond()), without);
  }
}
