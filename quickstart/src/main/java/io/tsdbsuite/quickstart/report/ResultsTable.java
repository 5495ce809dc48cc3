package io.tsdbsuite.quickstart.report;

import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.QuerySpan;
import io.tsdbsuite.quickstart.query.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results as tables and remarks: all as text for the terminal, whose tables are Markdown too,
 * and some for the page.
 */
public record ResultsTable(BenchmarkResults results) {
  static final String DAILY = "1d";
  static final List<String> QUERIES =
      columns(
          "Range | Query | A cell per point, ms | Compacted rows, ms | Stock TSD, ms | Plugin, ms"
              + " | Plugin reads | Cells | Single cells | Compacted cells"
              + " | Faster than a cell per point | Faster than compacted rows"
              + " | Faster than stock TSD | Points compared | Differences");
  static final List<String> FURTHER =
      columns(
          "Range | Query | Raw data, ms | Stock TSD, ms | Plugin, ms | Plugin reads | Cells"
              + " | Points compared | Differences");

  private static final List<String> INTERVALS = List.of("1h", "6h", DAILY);
  private static final int SHOWN = 10;

  private static List<String> columns(String head) {
    return List.of(head.split(" \\| ", -1));
  }

  /** All results; each line ends with a line feed. */
  public String text() {
    List<String> lines = markdown(QUERIES, queries());
    lines.addAll(remarks());
    for (QueryMeasurement query : results.queries()) {
      double largest = query.maxRelativeDifference();
      if (largest > 0) {
        lines.add(
            text(
                "%s, %s: largest relative difference %.1e",
                query.span().text(), query.query().text(), largest));
      }
    }
    lines.add("");
    lines.addAll(markdown(FURTHER, further()));
    results
        .all()
        .flatMap(query -> query.comparisons().stream())
        .flatMap(comparison -> comparison.differences().stream().limit(SHOWN))
        .forEach(difference -> lines.add("  " + difference));
    return String.join("\n", lines) + "\n";
  }

  /** Rows of the queries, below {@link #QUERIES}. */
  List<List<String>> queries() {
    return results.queries().stream()
        .map(
            query ->
                List.of(
                    query.span().text(),
                    query.query().text(),
                    millis(query, QuerySource.RAW_CELLS),
                    millis(query, QuerySource.RAW_COMPACTED),
                    query.stock(),
                    millis(query, QuerySource.PLUGIN),
                    query.reading().pieces(),
                    query.reading().cellsText(),
                    Numbers.grouped(results.cost(query).points()),
                    Numbers.grouped(results.cost(query).cells()),
                    times(results.ratio(query, QuerySource.RAW_CELLS)),
                    times(results.ratio(query, QuerySource.RAW_COMPACTED)),
                    times(results.ratio(query, QuerySource.STOCK)),
                    Numbers.grouped(query.compared()),
                    Numbers.grouped(query.differences())))
        .toList();
  }

  /** Rows of further queries, below {@link #FURTHER}. */
  List<List<String>> further() {
    return results.further().stream()
        .map(
            query ->
                List.of(
                    query.span().text(),
                    query.query().text(),
                    millis(query, QuerySource.RAW_COMPACTED),
                    query.stock(),
                    millis(query, QuerySource.PLUGIN),
                    query.reading().pieces(),
                    query.reading().cellsText(),
                    Numbers.grouped(query.compared()),
                    Numbers.grouped(query.differences())))
        .toList();
  }

  /** The median time from a source. */
  String millis(QueryMeasurement query, QuerySource source) {
    return (query.has(source) ? "" : "about ") + Runs.text(results.millis(query, source));
  }

  /** How many times faster. */
  static String times(double ratio) {
    return text("%,.0fx", ratio);
  }

  private static List<String> markdown(List<String> head, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(head);
    all.add(head.stream().map(any -> "---").toList());
    all.addAll(rows);
    int[] widths =
        IntStream.range(0, head.size())
            .map(i -> all.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    List<String> lines = new ArrayList<>();
    for (List<String> row : all) {
      lines.add(
          IntStream.range(0, widths.length)
              .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
              .collect(Collectors.joining(" | ", "| ", " |")));
    }
    lines.add("");
    return lines;
  }

  /** How times were measured, and whether the aims are reached. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (results.queries().stream().anyMatch(query -> !query.has(QuerySource.RAW_CELLS))) {
      remarks.add(
          "about: not measured, but the time per cell of the longest range measured times cells");
    }
    for (QuerySpan span : results.spans()) {
      int parts = results.limits().parts(span).size();
      if (parts > 1) {
        remarks.add(
            text(
                "compacted rows of %s: %d queries of consecutive parts, their times added; the"
                    + " TSD's heap has no room for all points at once",
                span.text(), parts));
      }
    }
    for (QuerySpan span : results.spans()) {
      for (String interval : INTERVALS) {
        results
            .smallestRatio(span, interval)
            .ifPresent(ratio -> remarks.add(verdict(span, interval, ratio)));
      }
    }
    return remarks;
  }

  private static String verdict(QuerySpan span, String interval, double ratio) {
    OptionalDouble aim =
        interval.equals(DAILY) ? BenchmarkResults.aim(span) : OptionalDouble.empty();
    String verdict =
        text(
            "%s by %s, plugin against compacted rows: at least %.0fx faster",
            span.text(), interval, ratio);
    return aim.isEmpty()
        ? verdict
        : text(
            "%s, aim %.0fx %s",
            verdict, aim.getAsDouble(), ratio >= aim.getAsDouble() ? "reached" : "MISSED");
  }

  private static String text(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
