package io.tsdbsuite.quickstart.report;

import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Verdict;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.HtmlPage;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.QueryRange;
import io.tsdbsuite.quickstart.report.LinePlots.At;
import io.tsdbsuite.quickstart.report.LinePlots.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * An HTML page with the results. It loads nothing from the network.
 *
 * @param results the results
 * @param rate the written points
 * @param day first second of the day whose points are plotted
 * @param made creation time of the page
 */
public record ReportPage(BenchmarkResults results, RequestRate rate, long day, Instant made) {
  private static final int HOUR = 3600;
  private static final int HOURS_A_DAY = 24;
  private static final int DAY = HOURS_A_DAY * HOUR;

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
    LinePlots plots = new LinePlots();
    QuerySections queries = new QuerySections(results, plots);
    return new HtmlPage("OpenTSDB suite: rollups and raw data compared")
        .add(head())
        .add(data(plots))
        .add(queries.answers())
        .add(queries.times())
        .add(queries.costs())
        .add(queries.further())
        .script(plots.json(), LinePlots.script())
        .html();
  }

  private List<Element> head() {
    long days = (results.to() - results.from()) / DAY;
    long points = days * DAY / RequestRate.STEP_SECONDS * rate.series();
    List<Element> tiles = new ArrayList<>();
    tiles.add(
        Blocks.tile(
            Numbers.grouped(results.differences()),
            "differences between raw data and the plugin's answers",
            Verdict.of(results.differences() == 0)));
    for (QueryRange range : results.ranges()) {
      OptionalDouble aim = BenchmarkResults.aim(range);
      if (aim.isPresent() || range.equals(results.longest())) {
        tiles.add(tile(range, aim));
      }
    }
    tiles.add(Blocks.tile(Numbers.grouped(points), "raw points", Verdict.NONE));
    return List.of(
        Element.of("h1", "Rollups and raw data compared"),
        Blocks.note(
            ("%s series of %s, one point every %s s, %s days from %s (UTC). Created %s by"
                    + " make quickstart, on a real TSD 2.4.1 over HBase 2.6.")
                .formatted(
                    rate.series(),
                    RequestRate.METRIC,
                    RequestRate.STEP_SECONDS,
                    days,
                    Formats.date(results.from()),
                    Formats.time(made.getEpochSecond()))),
        Blocks.tiles(tiles));
  }

  private Element tile(QueryRange range, OptionalDouble aim) {
    double daily = results.daily(range);
    String text =
        "faster over " + range.text() + ": 1d by the plugin against compacted rows, smallest ratio";
    return aim.isPresent()
        ? Blocks.tile(
            Formats.times(daily),
            text + ", aim " + Formats.times(aim.getAsDouble()),
            daily >= aim.getAsDouble() ? Verdict.GOOD : Verdict.NONE)
        : Blocks.tile(Formats.times(daily), text, Verdict.NONE);
  }

  private List<Element> data(LinePlots plots) {
    List<At> points = new ArrayList<>();
    for (int hour = 0; hour < HOURS_A_DAY; hour++) {
      for (Number value : rate.hour(0, day + (long) hour * HOUR)) {
        long time = day + (long) points.size() * RequestRate.STEP_SECONDS;
        points.add(new At(time, value.doubleValue()));
      }
    }
    return List.of(
        Element.of("h2", "The data"),
        Blocks.card(
            Element.of("h3", RequestRate.METRIC + rate.tags(0) + ", " + Formats.date(day)),
            plots.add(
                "one day of raw points",
                LinePlots.WIDE,
                List.of(Series.line("points", "first", 1, points)),
                List.of()),
            Element.of(
                "figcaption",
                Numbers.grouped(points.size())
                    + " raw points of one series on one day. Hours in which values drop to 30 %"
                    + " simulate incidents; every hour has data.")));
  }
}
