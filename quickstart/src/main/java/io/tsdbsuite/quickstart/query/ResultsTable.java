package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.job.page.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Formats the results as tables for the terminal, which are Markdown too. */
public final class ResultsTable {
  private static final int SHOWN = 10;
  private static final String DAILY = "1d";
  private static final List<String> INTERVALS = List.of("1h", "6h", DAILY);
  private static final List<String> QUERIES =
      List.of(
          "Range",
          "Query",
          "A cell per point, ms",
          "Compacted rows, ms",
          "Stock TSD, ms",
          "Plugin, ms",
          "Plugin reads",
          "Cells",
          "Faster than a cell per point",
          "Faster than compacted rows",
          "Points compared",
          "Differences");
  private static final List<String> FURTHER =
      List.of(
          "Range",
          "Query",
          "Raw data, ms",
          "Stock TSD, ms",
          "Plugin, ms",
          "Plugin reads",
          "Cells",
          "Points compared",
          "Differences");

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
    table(QUERIES, results.queries().stream().map(this::row).toList());
    remarks();
    results.ranges().forEach(this::verdict);
    out.append('\n');
    table(FURTHER, results.further().stream().map(ResultsTable::row).toList());
    Stream.concat(
            results.queries().stream().flatMap(each -> each.measurement().comparisons().stream()),
            results.further().stream().map(FurtherResult::comparison))
        .flatMap(comparison -> comparison.differences().stream().limit(SHOWN))
        .forEach(difference -> line("  %s", difference));
    return out.toString();
  }

  private List<String> row(QueryResult query) {
    QueryMeasurement measurement = query.measurement();
    return List.of(
        measurement.range().text(),
        measurement.query().text(),
        (query.estimated(QuerySource.RAW_CELLS) ? "about " : "")
            + Timings.text(query.millis(QuerySource.RAW_CELLS)),
        Timings.text(query.millis(QuerySource.RAW_COMPACTED)),
        Timings.text(query.millis(QuerySource.STOCK)),
        Timings.text(query.millis(QuerySource.PLUGIN)),
        measurement.reading().pieces(),
        measurement.reading().cellsText(),
        times(query.ratio(QuerySource.RAW_CELLS)),
        times(query.ratio(QuerySource.RAW_COMPACTED)),
        Numbers.grouped(measurement.compared()),
        Numbers.grouped(measurement.differences()));
  }

  private static List<String> row(FurtherResult result) {
    return List.of(
        result.span().text(),
        result.query().text(),
        Timings.text(result.rawMillis()),
        result.stock(),
        Timings.text(result.pluginMillis()),
        result.reading().pieces(),
        result.reading().cellsText(),
        Numbers.grouped(result.comparison().points()),
        Numbers.grouped(result.comparison().differences().size()));
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "%,.0fx", ratio);
  }

  private void table(List<String> head, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(head);
    all.add(head.stream().map(any -> "---").toList());
    all.addAll(rows);
    int[] widths =
        IntStream.range(0, head.size())
            .map(i -> all.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    for (List<String> row : all) {
      line(
          "%s",
          IntStream.range(0, widths.length)
              .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
              .collect(Collectors.joining(" | ", "| ", " |")));
    }
    out.append('\n');
  }

  private void remarks() {
    if (results.queries().stream().anyMatch(each -> each.estimated(QuerySource.RAW_CELLS))) {
      line("about: not measured, but the time per cell of the longest range measured times cells");
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
    for (QueryResult query : results.queries()) {
      double largest = query.measurement().maxRelativeDifference();
      if (largest > 0) {
        line(
            "%s, %s: largest relative difference %.1e",
            query.measurement().range().text(), query.measurement().query().text(), largest);
      }
    }
  }

  private void verdict(QueryRange range) {
    for (String interval : INTERVALS) {
      OptionalDouble ratio = results.smallestRatio(range, interval, QuerySource.RAW_COMPACTED);
      if (ratio.isPresent()) {
        OptionalDouble aim =
            interval.equals(DAILY) ? BenchmarkResults.aim(range) : OptionalDouble.empty();
        line(
            "%s by %s, plugin against compacted rows: at least %.0fx faster%s",
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

  private void line(String format, Object... args) {
    out.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
