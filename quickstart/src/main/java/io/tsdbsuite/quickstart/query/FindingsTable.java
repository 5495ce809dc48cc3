package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.quickstart.query.SplitBoundary.Bucket;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** {@link Findings} for the terminal. */
public final class FindingsTable {
  private static final int SHOWN = 10;

  private final Findings findings;
  private final StringBuilder out = new StringBuilder();

  /**
   * @param findings to show
   */
  public FindingsTable(Findings findings) {
    this.findings = findings;
  }

  /** The table, lines ended by a line feed. */
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
    for (int i = 0; i < findings.measurements().size(); i++) {
      Measurement measurement = findings.measurements().get(i);
      Map<Source, ScanCost> costs = findings.costs().get(i);
      for (Source source : Source.values()) {
        ScanCost cost = costs.get(source);
        line(
            "%-11s %-22s %,10.1f %,8d %,11d %,11d %,10.1f",
            source == Source.RAW_CELLS ? measurement.question().text() : "",
            source.text(),
            measurement.timings().get(source).median(),
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
    for (Measurement measurement : findings.measurements()) {
      line(
          "%-11s %,10d %,11d %13.1e   %.0fx a cell per point, %.0fx compacted rows",
          measurement.question().text(),
          measurement.compared(),
          measurement.differences(),
          measurement.maxRelativeDifference(),
          measurement.ratio(Source.RAW_CELLS),
          measurement.ratio(Source.RAW_COMPACTED));
      measurement.agreements().values().stream()
          .flatMap(agreement -> agreement.differences().stream())
          .limit(SHOWN)
          .forEach(difference -> line("  %s", difference));
      measurement.bySeries().differences().stream()
          .limit(SHOWN)
          .forEach(difference -> line("  %s", difference));
    }
    out.append('\n');
    verdict(Source.RAW_CELLS);
    verdict(Source.RAW_COMPACTED);
    out.append('\n');
  }

  private void verdict(Source raw) {
    double ratio = findings.smallestRatio(raw);
    line(
        "against %-22s the smallest ratio is %.0fx: %s the published %.0fx",
        raw.text(),
        ratio,
        ratio >= Findings.RATIO_TO_BEAT ? "over" : "NOT over",
        Findings.RATIO_TO_BEAT);
  }

  private void split() {
    line("split query: rollups until %s, raw data from there", instant(findings.split().splitAt()));
    fates("rollups end before the split point", findings.split());
    if (findings.split().count(SplitBoundary.Fate.MISSING) > 0) {
      line(
          "    the hour has turned since the rollups were made: the split point has passed their"
              + " end,");
      line("    and what lies between is in neither answer until the job runs again");
    }
    fates("rollups go on after it (not by the job)", findings.early());
    line("  aggregator none over the split point: %s", findings.split().none());
  }

  private void fates(String what, SplitBoundary split) {
    String fates =
        Arrays.stream(SplitBoundary.Fate.values())
            .filter(fate -> split.count(fate) > 0)
            .map(fate -> split.count(fate) + " " + fate.text())
            .collect(Collectors.joining(", "));
    String hours =
        split.unequal().stream()
            .limit(SHOWN)
            .map(bucket -> hour(bucket))
            .collect(Collectors.joining(", ", split.unequal().isEmpty() ? "" : ": ", ""));
    line("  %-40s hours: %s%s", what, fates, hours);
  }

  private static String hour(Bucket bucket) {
    return instant(bucket.time()).substring(5, 13) + "h " + bucket.fate().text();
  }

  private static String instant(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }

  private void line(String format, Object... args) {
    out.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
