package io.tsdbsuite.quickstart.report;

import io.tsdbsuite.job.page.BarChart;
import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Mark;
import io.tsdbsuite.job.page.Blocks.Row;
import io.tsdbsuite.job.page.Colour;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.quickstart.query.Answer;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.ScanCost;
import io.tsdbsuite.quickstart.query.Timings;
import io.tsdbsuite.quickstart.report.LinePlots.At;
import io.tsdbsuite.quickstart.report.LinePlots.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Results, times and costs of the queries. */
final class QuerySections {
  private static final int LABELS = 240;
  private static final long MILLIS = 1000;

  private final BenchmarkResults results;
  private final LinePlots plots;

  QuerySections(BenchmarkResults results, LinePlots plots) {
    this.results = results;
    this.plots = plots;
  }

  List<Element> answers() {
    Element pair = Element.of("div").with("class", "pair");
    for (QueryMeasurement query : results.measurements()) {
      double largest = query.maxRelativeDifference();
      pair.add(
          Element.of("figure")
              .with("class", "card")
              .add(
                  Element.of("h3", query.query().text()),
                  plots.add(
                      query.query().text(),
                      LinePlots.HALF,
                      List.of(
                          Series.line(
                              "raw", "pale", 4.5, points(query.answer(QuerySource.RAW_COMPACTED))),
                          Series.line(
                              "rollup", "first", 1.4, points(query.answer(QuerySource.ROLLUPS)))),
                      List.of()),
                  Element.of(
                      "figcaption",
                      Numbers.grouped(query.compared())
                          + " points compared, "
                          + Numbers.grouped(query.differences())
                          + " differences; largest relative difference "
                          + (largest == 0 ? "0" : String.format(Locale.ROOT, "%.1e", largest))
                          + " (allowed: "
                          + (query.query().exact() ? "0" : "1e-9")
                          + ")")));
    }
    return List.of(
        Element.of("h2", "Query results"),
        Element.of(
            "p",
            "Each query over raw data (wide line) and over rollups (thin line on top). Every point"
                + " was compared, for all series together and for each series separately."),
        Blocks.legend(
            List.of(new Mark("raw data", Colour.PALE), new Mark("rollups", Colour.FIRST))),
        pair);
  }

  private static List<At> points(Answer answer) {
    return answer.points().stream()
        .map(point -> new At(point.time() / MILLIS, point.value()))
        .toList();
  }

  private static Colour colour(QuerySource source) {
    return switch (source) {
      case RAW_CELLS -> Colour.THIRD;
      case RAW_COMPACTED -> Colour.SECOND;
      case ROLLUPS -> Colour.FIRST;
    };
  }

  List<Element> times() {
    BarChart chart = new BarChart("median time of each query by source", LABELS);
    List<Mark> marks = new ArrayList<>();
    for (QuerySource source : QuerySource.values()) {
      marks.add(new Mark(source.text(), colour(source)));
    }
    for (QueryMeasurement query : results.measurements()) {
      String group = query.query().text();
      for (QuerySource source : QuerySource.values()) {
        Timings timings = query.timings(source);
        chart.bar(
            group,
            source.text(),
            timings.median(),
            Formats.millis(timings.median()),
            timings.millis().size()
                + " runs, "
                + Formats.millis(timings.min())
                + " to "
                + Formats.millis(timings.max()),
            colour(source));
        group = "";
      }
    }
    return List.of(
        Element.of("h2", "Query times"),
        Element.of(
            "p",
            "Time from HTTP request to parsed answer: median of alternating runs with warm caches."
                + " Raw data are measured in both forms that a table can have. A TSD writes one"
                + " cell per point, and keeps this form if compaction is off. Compacted rows have"
                + " one cell for each series and hour; they are the fastest form of raw data."),
        Blocks.card(Blocks.legend(marks), chart.svg()),
        Blocks.note(
            "The published figure to beat is "
                + Formats.times(BenchmarkResults.RATIO_TO_BEAT)
                + ". The smallest speedup here is "
                + Formats.times(results.smallestRatio(QuerySource.RAW_CELLS))
                + " over a cell per point, and "
                + Formats.times(results.smallestRatio(QuerySource.RAW_COMPACTED))
                + " over compacted rows."));
  }

  List<Element> costs() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < results.measurements().size(); i++) {
      QueryMeasurement query = results.measurements().get(i);
      Map<QuerySource, ScanCost> costs = results.costs().get(i);
      for (QuerySource source : QuerySource.values()) {
        ScanCost cost = Objects.requireNonNull(costs.get(source), source.text());
        boolean first = source == QuerySource.RAW_CELLS;
        rows.add(
            new Row(
                first,
                List.of(
                    first ? query.query().text() : "",
                    source.text(),
                    Formats.millis(query.timings(source).median()),
                    source == QuerySource.ROLLUPS ? "" : Formats.times(query.ratio(source)),
                    Numbers.grouped(cost.rows()),
                    Numbers.grouped(cost.cells()),
                    Numbers.grouped(cost.points()),
                    Numbers.grouped(cost.bytes() / 1e6, 1))));
      }
    }
    return List.of(
        Element.of("h2", "Data read from HBase"),
        Blocks.card(
            Blocks.table(
                List.of(
                    "query", "reads", "median", "rollups faster", "rows", "cells", "points", "MB"),
                rows)),
        Blocks.note(
            "Counted with scans of the same ranges and filters. MB counts row keys, qualifiers and"
                + " values, before compression and block encoding."));
  }
}
