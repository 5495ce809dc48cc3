package io.tsdbsuite.quickstart.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.tsdbsuite.job.page.BarChart;
import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Mark;
import io.tsdbsuite.job.page.Blocks.Row;
import io.tsdbsuite.job.page.Colour;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.HtmlPage;
import io.tsdbsuite.job.page.Line;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.quickstart.data.Latency;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryLimits;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.QuerySpan;
import io.tsdbsuite.quickstart.query.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * An HTML page with the results. It loads nothing from the network.
 *
 * @param results the results
 * @param rate the written points
 * @param made creation time of the page
 */
public record ReportPage(BenchmarkResults results, RequestRate rate, Instant made) {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final long MILLIS = 1000;
  private static final int WIDE = 960;
  private static final int HALF = 520;
  private static final int LABELS = 240;

  /** Points that can be told apart in a plot. */
  private static final int PLOTTED = 1000;

  /**
   * Writes the page.
   *
   * @param file target, replaced if it exists
   * @throws IOException when it cannot be written
   */
  public void write(Path file) throws IOException {
    Files.writeString(file, html());
  }

  /** The page as HTML. */
  String html() {
    HtmlPage page = new HtmlPage("OpenTSDB suite: rollups and raw data compared");
    head(page);
    data(page);
    answers(page);
    latency(page);
    times(page);
    tables(page);
    return page.html();
  }

  private void head(HtmlPage page) {
    QuerySpan all = results.longest();
    long points = rate.points(all.from(), all.to());
    long differences = results.differences();
    List<Element> tiles = new ArrayList<>();
    tiles.add(
        Blocks.tile(
            Numbers.grouped(differences),
            "differences between raw data and the plugin's answers",
            differences == 0));
    for (QuerySpan span : results.spans()) {
      OptionalDouble aim = BenchmarkResults.aim(span);
      if (aim.isPresent() || span.equals(all)) {
        tiles.add(tile(span, aim));
      }
    }
    tiles.add(Blocks.tile(Numbers.grouped(points), "raw points"));
    page.heading("Rollups and raw data compared")
        .note(
            ("%s series of %s, one point every %s s, %s days from %s (UTC). Created %s by"
                    + " make quickstart, on a real TSD 2.4.1 over HBase 2.6.")
                .formatted(
                    rate.series(),
                    RequestRate.METRIC,
                    RequestRate.STEP_SECONDS,
                    all.days(),
                    date(all.from()),
                    made.truncatedTo(ChronoUnit.SECONDS)))
        .tiles(tiles);
  }

  private Element tile(QuerySpan span, OptionalDouble aim) {
    double daily = results.smallestRatio(span, ResultsTable.DAILY).orElse(0);
    String figure = ResultsTable.times(daily);
    String text =
        "faster over %s: 1d by the plugin against compacted rows, smallest ratio"
            .formatted(span.text());
    if (aim.isPresent()) {
      text += ", aim " + ResultsTable.times(aim.getAsDouble());
      if (daily >= aim.getAsDouble()) {
        return Blocks.tile(figure, text, true);
      }
    }
    return Blocks.tile(figure, text);
  }

  private static String date(long seconds) {
    return Instant.ofEpochSecond(seconds).toString().substring(0, "2026-11-20".length());
  }

  private void data(HtmlPage page) {
    long day = results.longest().from();
    Line line = new Line("points", Colour.FIRST, 1);
    for (long hour = day; hour < day + DAY; hour += HOUR) {
      long time = hour;
      for (Number value : rate.hour(0, hour)) {
        line.point(time, value.doubleValue());
        time += RequestRate.STEP_SECONDS;
      }
    }
    page.section("The data")
        .card(
            Element.of("h3", RequestRate.METRIC + rate.tags(0) + ", " + date(day)),
            page.lines("one day of raw points", WIDE, line),
            Element.of(
                "figcaption",
                Numbers.grouped(DAY / RequestRate.STEP_SECONDS)
                    + " raw points of one series on one day. Hours in which values drop to 30 %"
                    + " simulate incidents; every hour has data."));
  }

  private void answers(HtmlPage page) {
    Element pair = Element.of("div").with("class", "pair");
    for (Query query :
        results.queries().stream().map(QueryMeasurement::query).distinct().toList()) {
      List<QueryMeasurement> all = results.queries(query);
      QueryMeasurement shown =
          all.stream()
              .filter(each -> each.runs(QuerySource.PLUGIN).answer().size() <= PLOTTED)
              .reduce((shorter, longer) -> longer)
              .orElse(all.get(0));
      pair.add(
          Element.of("figure")
              .with("class", "card")
              .add(
                  Element.of("h3", query.text() + ", " + shown.span().text()),
                  page.lines(
                      query.text(),
                      HALF,
                      line("raw", Colour.PALE, 4.5, shown.runs(QuerySource.RAW_COMPACTED)),
                      line("plugin", Colour.FIRST, 1.4, shown.runs(QuerySource.PLUGIN))),
                  Element.of("figcaption", comparisons(query, all))));
    }
    QuerySpan bySeries = QueryLimits.longest(results.spans(), results.limits()::onePart);
    page.section("Query results")
        .text(
            "Each query over raw data (wide line) and by rollup-query (thin line on top). Every"
                + " point of every range was compared for all series together, and over "
                + bySeries.text()
                + " for each series separately.")
        .add(
            Blocks.legend(
                List.of(new Mark("raw data", Colour.PALE), new Mark("plugin", Colour.FIRST))),
            pair);
  }

  private void latency(HtmlPage page) {
    Map<QuerySpan, List<QueryMeasurement>> bySpan =
        results.further().stream()
            .filter(each -> each.query().isOfLatency())
            .collect(groupingBy(QueryMeasurement::span, LinkedHashMap::new, toList()));
    if (bySpan.isEmpty()) {
      return;
    }
    page.section("Percentiles")
        .text(
            "rollup-job stores the median and the 99th percentile of "
                + Latency.METRIC
                + " beside sum, minimum, maximum and count, because rollup_config.json asks for"
                + " them (suite). Each point was compared with raw data, to the last bit.")
        .add(Blocks.legend(List.of(new Mark("p50", Colour.FIRST), new Mark("p99", Colour.SECOND))));
    bySpan.forEach(
        (span, measured) -> {
          String title =
              "p50 and p99 by " + measured.get(0).query().interval() + ", " + span.text();
          Line[] lines =
              measured.stream()
                  .map(
                      each -> {
                        String name = each.query().function();
                        Colour colour = name.equals("p50") ? Colour.FIRST : Colour.SECOND;
                        return line(name, colour, 1.4, each.runs(QuerySource.PLUGIN));
                      })
                  .toArray(Line[]::new);
          page.add(
              Element.of("figure")
                  .with("class", "card")
                  .add(Element.of("h3", title), page.lines(title, WIDE, lines)));
        });
  }

  private static Line line(String name, Colour colour, double width, Runs runs) {
    Line line = new Line(name, colour, width);
    runs.answer().points().forEach(point -> line.point(point.time() / MILLIS, point.value()));
    return line;
  }

  private static String comparisons(Query query, List<QueryMeasurement> all) {
    double largest =
        all.stream().mapToDouble(QueryMeasurement::maxRelativeDifference).max().orElse(0);
    return ("%s points of all ranges compared, %s differences; largest relative difference"
            + " %s (allowed: %s)")
        .formatted(
            Numbers.grouped(all.stream().mapToLong(QueryMeasurement::compared).sum()),
            Numbers.grouped(all.stream().mapToLong(QueryMeasurement::differences).sum()),
            largest == 0 ? "0" : String.format(Locale.ROOT, "%.1e", largest),
            query.exact() ? "0" : "1e-9");
  }

  private static Colour colour(QuerySource source) {
    return switch (source) {
      case RAW_CELLS -> Colour.THIRD;
      case RAW_COMPACTED -> Colour.SECOND;
      case STOCK -> Colour.PALE;
      case PLUGIN -> Colour.FIRST;
    };
  }

  private void times(HtmlPage page) {
    List<Mark> marks = new ArrayList<>();
    for (QuerySource source : QuerySource.values()) {
      marks.add(new Mark(source.text(), colour(source)));
    }
    List<Element> card = new ArrayList<>(List.of(Blocks.legend(marks)));
    for (QuerySpan span : results.spans()) {
      card.add(Element.of("h3", span.text()));
      card.add(chart(span));
    }
    page.section("Query times")
        .text(
            "Time from HTTP request to parsed answer: median of alternating runs with warm caches."
                + " Raw data are measured in both forms that a table can have. A TSD writes one"
                + " cell per point, and keeps this form if compaction is off. Compacted rows have"
                + " one cell for each series and hour; they are the fastest form of raw data. A"
                + " stock TSD chooses the table of rollups by the downsampler alone; rollup-query"
                + " chooses by the coverage.")
        .card(card.toArray(Element[]::new));
    new ResultsTable(results).remarks().forEach(page::note);
  }

  private Element chart(QuerySpan span) {
    BarChart chart =
        new BarChart("median time of each query by source, over " + span.text(), LABELS);
    for (QueryMeasurement query : results.queries(span)) {
      String group = query.query().text();
      for (QuerySource source : QuerySource.values()) {
        chart.bar(
            group,
            source.text(),
            results.millis(query, source),
            median(query, source),
            query.has(source) ? runs(query.runs(source)) : "estimated",
            colour(source));
        group = "";
      }
    }
    return chart.svg();
  }

  private String median(QueryMeasurement query, QuerySource source) {
    return new ResultsTable(results).millis(query, source) + " ms";
  }

  private static String runs(Runs runs) {
    return "%s runs, %s to %s ms"
        .formatted(runs.millis().size(), Runs.text(runs.min()), Runs.text(runs.max()));
  }

  private void tables(HtmlPage page) {
    ResultsTable tables = new ResultsTable(results);
    page.section("Data read from HBase")
        .card(Blocks.table(ResultsTable.QUERIES, grouped(tables.queries())))
        .note(
            "Cells of compacted rows are counted with scans of the same ranges, single cells are as"
                + " many as points, and the plugin's statistic tsd.rollup_query.cells has those of"
                + " the plugin; a stock TSD counts none. The plugin's header X-Rollup-Query names"
                + " the rollups and raw data that it reads.")
        .section("Further queries, and the last days")
        .text(
            "Each answer was compared with raw data; a time that comes twice is a difference. Of"
                + " the last days stream-rollup has made the rollups. No coverage proves them, so"
                + " the plugin reads raw data there; a stock TSD reads what is in the table.")
        .card(Blocks.table(ResultsTable.FURTHER, grouped(tables.further())));
  }

  /** Rows that begin a group where the range changes. */
  private static List<Row> grouped(List<List<String>> rows) {
    List<Row> grouped = new ArrayList<>();
    String range = "";
    for (List<String> cells : rows) {
      grouped.add(new Row(!cells.get(0).equals(range), cells));
      range = cells.get(0);
    }
    return grouped;
  }
}
