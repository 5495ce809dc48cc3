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
import io.tsdbsuite.quickstart.query.FurtherResult;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QueryRange;
import io.tsdbsuite.quickstart.query.QueryResult;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.Timings;
import io.tsdbsuite.quickstart.report.LinePlots.At;
import io.tsdbsuite.quickstart.report.LinePlots.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Results, times and costs of the queries. */
record QuerySections(BenchmarkResults results, LinePlots plots) {
  private static final int LABELS = 240;
  private static final long MILLIS = 1000;
  private static final int PLOTTED = 1000;

  List<Element> answers() {
    Element pair = Element.of("div").with("class", "pair");
    for (Query query : results.queries().stream().map(QuerySections::query).distinct().toList()) {
      QueryMeasurement shown = shown(query);
      pair.add(
          Element.of("figure")
              .with("class", "card")
              .add(
                  Element.of("h3", query.text() + ", " + shown.range().text()),
                  plots.add(
                      query.text(),
                      LinePlots.HALF,
                      List.of(
                          Series.line(
                              "raw", "pale", 4.5, points(shown.answer(QuerySource.RAW_COMPACTED))),
                          Series.line(
                              "plugin", "first", 1.4, points(shown.answer(QuerySource.PLUGIN)))),
                      List.of()),
                  Element.of("figcaption", comparisons(query))));
    }
    return List.of(
        Element.of("h2", "Query results"),
        Element.of(
            "p",
            "Each query over raw data (wide line) and by rollup-query (thin line on top). Every"
                + " point of every range was compared for all series together, and over "
                + bySeries()
                + " for each series separately."),
        Blocks.legend(List.of(new Mark("raw data", Colour.PALE), new Mark("plugin", Colour.FIRST))),
        pair);
  }

  private static Query query(QueryResult result) {
    return result.measurement().query();
  }

  /** The longest range whose points can be told apart in a plot. */
  private QueryMeasurement shown(Query query) {
    QueryMeasurement shown = null;
    for (QueryResult each : results.queries()) {
      QueryMeasurement measurement = each.measurement();
      if (measurement.query().equals(query)
          && (shown == null || measurement.answer(QuerySource.PLUGIN).size() <= PLOTTED)) {
        shown = measurement;
      }
    }
    return Objects.requireNonNull(shown, query.text());
  }

  private String bySeries() {
    return results.queries().stream()
        .map(QueryResult::measurement)
        .filter(QueryMeasurement::bySeries)
        .map(each -> each.range().text())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private String comparisons(Query query) {
    long compared = 0;
    long differences = 0;
    double largest = 0;
    for (QueryResult each : results.queries()) {
      if (query(each).equals(query)) {
        compared += each.measurement().compared();
        differences += each.measurement().differences();
        largest = Math.max(largest, each.measurement().maxRelativeDifference());
      }
    }
    return ("%s points of all ranges compared, %s differences; largest relative difference"
            + " %s (allowed: %s)")
        .formatted(
            Numbers.grouped(compared),
            Numbers.grouped(differences),
            largest == 0 ? "0" : String.format(Locale.ROOT, "%.1e", largest),
            query.exact() ? "0" : "1e-9");
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
      case STOCK -> Colour.PALE;
      case PLUGIN -> Colour.FIRST;
    };
  }

  List<Element> times() {
    List<Mark> marks = new ArrayList<>();
    for (QuerySource source : QuerySource.values()) {
      marks.add(new Mark(source.text(), colour(source)));
    }
    Element card = Blocks.card(Blocks.legend(marks));
    for (QueryRange range : results.ranges()) {
      card.add(Element.of("h3", range.text()), chart(range));
    }
    return List.of(
        Element.of("h2", "Query times"),
        Element.of(
            "p",
            "Time from HTTP request to parsed answer: median of alternating runs with warm caches."
                + " Raw data are measured in both forms that a table can have. A TSD writes one"
                + " cell per point, and keeps this form if compaction is off. Compacted rows have"
                + " one cell for each series and hour; they are the fastest form of raw data. A"
                + " stock TSD chooses the table of rollups by the downsampler alone; rollup-query"
                + " chooses by the coverage."),
        card,
        Blocks.note(note()));
  }

  private Element chart(QueryRange range) {
    BarChart chart =
        new BarChart("median time of each query by source, over " + range.text(), LABELS);
    for (QueryResult query : results.queries(range)) {
      String group = query(query).text();
      for (QuerySource source : QuerySource.values()) {
        double millis = query.millis(source);
        Timings timings = query.measurement().timings(source);
        chart.bar(
            group,
            source.text(),
            millis,
            text(query, source),
            timings == null
                ? "estimated"
                : timings.millis().size()
                    + " runs, "
                    + Formats.millis(timings.min())
                    + " to "
                    + Formats.millis(timings.max()),
            colour(source));
        group = "";
      }
    }
    return chart.svg();
  }

  private static String text(QueryResult query, QuerySource source) {
    return (query.estimated(source) ? "about " : "") + Formats.millis(query.millis(source));
  }

  private String note() {
    StringBuilder note = new StringBuilder();
    if (results.queries().stream().anyMatch(each -> each.estimated(QuerySource.RAW_CELLS))) {
      note.append(
          "\"About\" is not measured: it is the time per cell of the longest range that was"
              + " measured, times the cells. ");
    }
    for (QueryRange range : results.ranges()) {
      int parts = results.queries(range).get(0).measurement().parts();
      if (parts > 1) {
        note.append("Compacted rows of ")
            .append(range.text())
            .append(" are read by ")
            .append(parts)
            .append(
                " queries of consecutive parts, whose times are added: the TSD's heap has no room"
                    + " for all points at once. ");
      }
      OptionalDouble aim = BenchmarkResults.aim(range);
      if (aim.isPresent()) {
        note.append("1d over ")
            .append(range.text())
            .append(" is by the plugin at least ")
            .append(Formats.times(results.daily(range)))
            .append(" faster than compacted rows; the aim is ")
            .append(Formats.times(aim.getAsDouble()))
            .append(". ");
      }
    }
    return note.toString();
  }

  List<Element> costs() {
    List<Row> rows = new ArrayList<>();
    for (QueryResult query : results.queries()) {
      QueryMeasurement measurement = query.measurement();
      for (QuerySource source : QuerySource.values()) {
        boolean first = source == QuerySource.RAW_CELLS;
        boolean plugin = source == QuerySource.PLUGIN;
        OptionalLong cells = query.cells(source);
        rows.add(
            new Row(
                first,
                List.of(
                    first ? measurement.range().text() : "",
                    first ? measurement.query().text() : "",
                    plugin ? measurement.reading().pieces() : source.text(),
                    text(query, source),
                    plugin ? "" : Formats.times(query.ratio(source)),
                    cells.isPresent() ? Numbers.grouped(cells.getAsLong()) : "")));
      }
    }
    return List.of(
        Element.of("h2", "Data read from HBase"),
        Blocks.card(
            Blocks.table(
                List.of("range", "query", "reads", "median", "plugin faster", "cells"), rows)),
        Blocks.note(
            "Cells of raw data are counted with scans of the same ranges, those of the plugin by"
                + " its statistic tsd.rollup_query.cells; a stock TSD counts none. The plugin tells"
                + " what it reads in the header X-Rollup-Query."));
  }

  /** Queries that a stock TSD hardly answers from rollups, and those of the last days. */
  List<Element> further() {
    List<Row> rows = new ArrayList<>();
    String range = "";
    for (FurtherResult each : results.further()) {
      boolean first = !each.span().text().equals(range);
      range = each.span().text();
      rows.add(
          new Row(
              first,
              List.of(
                  first ? range : "",
                  each.query().text(),
                  Formats.millis(each.rawMillis()),
                  each.stock(),
                  Formats.millis(each.pluginMillis()),
                  each.reading().pieces(),
                  each.reading().cellsText(),
                  Numbers.grouped(each.comparison().points()),
                  Numbers.grouped(each.comparison().differences().size()))));
    }
    return List.of(
        Element.of("h2", "Further queries, and the last days"),
        Element.of(
            "p",
            "Each answer was compared with raw data; a time that comes twice is a difference. Of"
                + " the last days stream-rollup has made the rollups. No coverage proves them, so"
                + " the plugin reads raw data there; a stock TSD reads what is in the table."),
        Blocks.card(
            Blocks.table(
                List.of(
                    "range",
                    "query",
                    "raw data",
                    "stock TSD, ms",
                    "plugin",
                    "plugin reads",
                    "cells",
                    "compared",
                    "differences"),
                rows)));
  }
}
