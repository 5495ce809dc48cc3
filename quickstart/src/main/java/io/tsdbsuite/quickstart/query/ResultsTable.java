package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.quickstart.query.SplitQueryResult.Bucket;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Formats the results as tables for the terminal. */
public final class ResultsTable {
  private static final int SHOWN = 10;

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
        "%-11s %-22s %10s %8s %11s %11s %10s",
        "query", "reads", "median ms", "rows", "cells", "points", "MB");
    for (int i = 0; i < results.measurements().size(); i++) {
      QueryMeasurement measurement = results.measurements().get(i);
      Map<QuerySource, ScanCost> costs = results.costs().get(i);
      for (QuerySource source : QuerySource.values()) {
        ScanCost cost = Objects.requireNonNull(costs.get(source), source.text());
        line(
            "%-11s %-22s %,10.1f %,8d %,11d %,11d %,10.1f",
            source == QuerySource.RAW_CELLS ? measurement.query().text() : "",
            source.text(),
            measurement.timings(source).median(),
            cost.rows(),
            cost.cells(),
            cost.points(),
            cost.bytes() / 1e6);
      }
    }
    out.append('\n');
  }

  private void ratios() {
    line(
        "%-11s %10s %11s %13s   %s",
        "query", "compared", "differences", "max rel diff", "rollups are faster than raw");
    for (QueryMeasurement measurement : results.measurements()) {
      line(
          "%-11s %,10d %,11d %13.1e   %.0fx a cell per point, %.0fx compacted rows",
          measurement.query().text(),
          measurement.compared(),
          measurement.differences(),
          measurement.maxRelativeDifference(),
          measurement.ratio(QuerySource.RAW_CELLS),
          measurement.ratio(QuerySource.RAW_COMPACTED));
      measurement.comparisons().values().stream()
          .flatMap(comparison -> comparison.differences().stream())
          .limit(SHOWN)
          .forEach(difference -> line("  %s", difference));
      measurement.bySeries().differences().stream()
          .limit(SHOWN)
          .forEach(difference -> line("  %s", difference));
    }
    out.append('\n');
    verdict(QuerySource.RAW_CELLS);
    verdict(QuerySource.RAW_COMPACTED);
    out.append('\n');
  }

  private void verdict(QuerySource raw) {
    double ratio = results.smallestRatio(raw);
    line(
        "against %-22s the smallest speedup is %.0fx: %s the published %.0fx",
        raw.text(),
        ratio,
        ratio >= BenchmarkResults.RATIO_TO_BEAT ? "over" : "NOT over",
        BenchmarkResults.RATIO_TO_BEAT);
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
