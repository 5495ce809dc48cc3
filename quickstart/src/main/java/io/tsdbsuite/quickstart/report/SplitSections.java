package io.tsdbsuite.quickstart.report;

import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Mark;
import io.tsdbsuite.job.page.Blocks.Row;
import io.tsdbsuite.job.page.Colour;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.SlaMeasurement;
import io.tsdbsuite.quickstart.query.SlaRange;
import io.tsdbsuite.quickstart.query.SlaTable;
import io.tsdbsuite.quickstart.query.SplitQueryResult;
import io.tsdbsuite.quickstart.query.SplitQueryResult.Bucket;
import io.tsdbsuite.quickstart.query.SplitQueryResult.BucketState;
import io.tsdbsuite.quickstart.report.LinePlots.At;
import io.tsdbsuite.quickstart.report.LinePlots.Series;
import java.util.ArrayList;
import java.util.List;

/** Queries of the last days, which read rollups up to the split point and raw data after it. */
final class SplitSections {
  private static final int HOURS_SHOWN = 8 * 3600;

  private final BenchmarkResults results;
  private final LinePlots plots;

  SplitSections(BenchmarkResults results, LinePlots plots) {
    this.results = results;
    this.plots = plots;
  }

  List<Element> lastDays() {
    List<Row> rows = new ArrayList<>();
    for (SlaRange range : SlaRange.values()) {
      boolean first = true;
      for (SlaMeasurement sla : of(range)) {
        rows.add(
            new Row(
                first,
                List.of(
                    range.text(),
                    SlaTable.text(sla.delaySlaHours()),
                    Formats.millis(sla.timings().median()),
                    Numbers.grouped(sla.rollups().cells()),
                    Numbers.grouped(sla.raw().cells()),
                    Numbers.grouped(sla.cellsPerSeries(), 0),
                    Numbers.grouped(sla.cellsInTheory()),
                    Numbers.grouped(sla.compared()),
                    Numbers.grouped(sla.differences()))));
        first = false;
      }
    }
    List<SlaMeasurement> weeks = of(SlaRange.WEEK);
    return List.of(
        Element.of("h2", "The last days, with rollups minutes old"),
        Element.of(
            "p",
            "stream-rollup reads the points from Kafka and rolls them up a few minutes after the"
                + " end of each interval. So delaySla can be an hour instead of three days, and"
                + " queries of the last days read rollups instead of raw points. Each answer was"
                + " compared with raw data, for all series together and for each series; of several"
                + " values for one time the last one counts."),
        Blocks.card(
            Blocks.table(
                List.of(
                    "range",
                    "delaySla",
                    "median",
                    "rollup cells",
                    "raw cells",
                    "per series",
                    "in theory",
                    "compared",
                    "differences"),
                rows),
            Blocks.note(
                "delaySla 1h instead of 3d, over 7 days: "
                    + Formats.times(SlaTable.cellRatio(weeks.get(0), weeks.get(1)))
                    + " fewer cells, "
                    + Numbers.grouped(SlaTable.speedup(weeks.get(0), weeks.get(1)), 1)
                    + "\u00d7 faster. In theory: a raw cell for each point of the last hours, a"
                    + " rollup for each hour before. The TSD reads whole rows of rollups (a day),"
                    + " so it reads some more. Times are medians of runs with warm caches.")));
  }

  private List<SlaMeasurement> of(SlaRange range) {
    return results.sla().stream().filter(sla -> sla.range() == range).toList();
  }

  List<Element> boundaries() {
    List<SplitQueryResult> split = results.split();
    return List.of(
        Element.of("h2", "At the split point"),
        Element.of(
            "p",
            "With tsd.rollups.split_query.enable, a query that ends after now minus delaySla reads"
                + " rollups up to that point and raw data after it. The TSD concatenates the two"
                + " answers; it does not merge them."),
        Blocks.legend(
            List.of(
                new Mark("raw data", Colour.PALE),
                new Mark("split query", Colour.FIRST),
                new Mark("the same hour again", Colour.BAD))),
        Element.of("div")
            .with("class", "pair")
            .add(
                boundary(
                    "delaySla 3d",
                    split.get(0),
                    "stream-rollup has written rollups beyond the split point: hours up to the end"
                        + " of the rollup row (a day) are in both parts of the answer, with the"
                        + " same values. The usual JSON answer then has the same key twice, and"
                        + " the last value counts."),
                boundary(
                    "delaySla 1h",
                    split.get(1),
                    "Few rollups are newer than the split point, so few hours are there twice.")),
        Element.of("p", "Aggregator none over the split point: ")
            .add(Element.of("code", split.get(0).none())));
  }

  private Element boundary(String title, SplitQueryResult split, String text) {
    List<At> raw = new ArrayList<>();
    List<At> once = new ArrayList<>();
    List<At> again = new ArrayList<>();
    for (Bucket bucket : split.buckets()) {
      if (Math.abs(bucket.time() - split.splitAt()) > HOURS_SHOWN) {
        continue;
      }
      if (!Double.isNaN(bucket.raw())) {
        raw.add(new At(bucket.time(), bucket.raw()));
      }
      for (int i = 0; i < bucket.split().size(); i++) {
        (i == 0 ? once : again).add(new At(bucket.time(), bucket.split().get(i)));
      }
    }
    List<Series> series = new ArrayList<>();
    series.add(Series.line("raw", "pale", 6, raw));
    series.add(new Series("split query", "first", 3, true, false, once));
    if (!again.isEmpty()) {
      series.add(new Series("again", "bad", 7, true, true, again));
    }
    List<String> states = new ArrayList<>();
    for (BucketState state : BucketState.values()) {
      if (split.count(state) > 0) {
        states.add(split.count(state) + " " + state.text());
      }
    }
    return Element.of("figure")
        .with("class", "card")
        .add(
            Element.of("h3", title),
            plots.add(
                title,
                LinePlots.HALF,
                series,
                List.of(new LinePlots.Mark(split.splitAt(), "split"))),
            Element.of("figcaption", "Hours: " + String.join(", ", states) + ". " + text));
  }
}
