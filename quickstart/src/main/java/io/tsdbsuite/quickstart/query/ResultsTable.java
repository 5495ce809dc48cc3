package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.quickstart.query.SplitQueryResult.Bucket;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Formats the results as tables for the terminal. */
public final class ResultsTable {
  private static final int SHOWN = 10;
  private static final double MEGA = 1e6;
  private static final double MICROS = 1000;
  private static final String DAILY = "1d";
  private static final List<String> INTERVALS = List.of("1h", DAILY);

  private final BenchmarkResults results;
  private final StringBuilder out = new StringBuilder();

  /**
   * @param results to show
   */
  public ResultsTable(BenchmarkResults results) {
    this.results = results;
  }

  /** The tables; each line ends with a line feed. */
  public String text() {
    timings();
    ratios();
    split();
    return out.toString();
  }

  private void timings() {
    line(
        "%-9s %-11s %-22s %12s %8s %11s %12s %9s %8s %9s",
        "range",
        "query",
        "reads",
        "median ms",
        "rows",
        "cells",
        "points",
        "MB",
        "us/cell",
        "rollups");
    for (QueryResult query : results.queries()) {
      QueryMeasurement measurement = query.measurement();
      boolean first = true;
      for (QuerySource source : QuerySource.values()) {
        ScanCost cost = query.cost(source);
        double millis = query.millis(source);
        line(
            "%-9s %-11s %-22s %12s %,8d %,11d %,12d %,9.1f %8.2f %9s",
            first ? measurement.range().text() : "",
            first ? measurement.query().text() : "",
            source == QuerySource.ROLLUPS
                ? source.text() + " of " + measurement.query().interval()
                : source.text(),
            (query.estimated(source) ? "~" : "") + String.format(Locale.ROOT, "%,.1f", millis),
            cost.rows(),
            cost.cells(),
            cost.points(),
            cost.bytes() / MEGA,
            millis * MICROS / cost.cells(),
            source == QuerySource.ROLLUPS
                ? ""
                : String.format(Locale.ROOT, "%,.0fx", query.ratio(source)));
        first = false;
      }
    }
    if (results.queries().stream().anyMatch(each -> each.estimated(QuerySource.RAW_CELLS))) {
      line("~ not measured, but the time per cell of the longest range measured times the cells");
    }
    for (QueryRange range : results.ranges()) {
      int parts = results.queries(range).get(0).measurement().parts();
      if (parts > 1) {
        line(
            "compacted rows of %s: %d queries of consecutive parts, their times added; the TSD's"
                + " heap has no room for all points at once",
            range.text(), parts);
      }
    }
    out.append('\n');
  }

  private void ratios() {
    line("%-9s %-11s %10s %11s %13s", "range", "query", "compared", "differences", "max rel diff");
    for (QueryResult query : results.queries()) {
      QueryMeasurement measurement = query.measurement();
      line(
          "%-9s %-11s %,10d %,11d %13.1e",
          measurement.range().text(),
          measurement.query().text(),
          measurement.compared(),
          measurement.differences(),
          measurement.maxRelativeDifference());
      measurement.comparisons().stream()
          .flatMap(comparison -> comparison.differences().stream())
          .limit(SHOWN)
          .forEach(difference -> line("  %s", difference));
    }
    out.append('\n');
    results.ranges().forEach(this::verdict);
    out.append('\n');
  }

  private void verdict(QueryRange range) {
    for (String interval : INTERVALS) {
      OptionalDouble ratio = results.smallestRatio(range, interval, QuerySource.RAW_COMPACTED);
      if (ratio.isPresent()) {
        OptionalDouble aim =
            interval.equals(DAILY) ? BenchmarkResults.aim(range) : OptionalDouble.empty();
        line(
            "%s, rollups of %s against compacted rows: at least %.0fx faster%s",
            range.text(),
            interval,
            ratio.getAsDouble(),
            aim.isEmpty()
                ? ""
                : String.format(
                    Locale.ROOT,
                    ", aim %.0fx %s",
                    aim.getAsDouble(),
                    ratio.getAsDouble() >= aim.getAsDouble() ? "reached" : "MISSED"));
      }
    }
  }

  private void split() {
    out.append(SlaTable.of(results.sla())).append('\n');
    for (SplitQueryResult split : results.split()) {
      line("split query: rollups until %s, raw data from there", instant(split.splitAt()));
      states("compared with raw data", split);
      line("  aggregator none over the split point: %s", split.none());
    }
  }

  private void states(String what, SplitQueryResult split) {
    String states =
        Arrays.stream(SplitQueryResult.BucketState.values())
            .filter(state -> split.count(state) > 0)
            .map(state -> split.count(state) + " " + state.text())
            .collect(Collectors.joining(", "));
    String hours =
        split.unequal().stream()
            .limit(SHOWN)
            .map(bucket -> hour(bucket))
            .collect(Collectors.joining(", ", split.unequal().isEmpty() ? "" : ": ", ""));
    line("  %-24s hours: %s%s", what, states, hours);
  }

  private static String hour(Bucket bucket) {
    return instant(bucket.time()).substring(5, 13) + "h " + bucket.state().text();
  }

  private static String instant(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }

  private void line(String format, Object... args) {
    out.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
