package io.tsdbsuite.bulk.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.job.page.BarChart;
import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Row;
import io.tsdbsuite.job.page.Blocks.Verdict;
import io.tsdbsuite.job.page.Colour;
import io.tsdbsuite.job.page.ColumnChart;
import io.tsdbsuite.job.page.Element;
import io.tsdbsuite.job.page.HtmlPage;
import io.tsdbsuite.job.page.Numbers;
import io.tsdbsuite.job.report.TextTable;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The JSON report of a load as an HTML page. */
public final class LoadPage {
  private static final int METRIC_LABELS = 380;
  private static final int LABELS = 200;
  private static final int SHOWN = 20;
  private static final int SHOWN_GAPS = 5;

  private final JsonNode report;
  private final JsonNode counts;
  private final HtmlPage page;

  private LoadPage(JsonNode report) {
    this.report = report;
    this.counts = ReportFields.object(report, "counts");
    this.page = new HtmlPage("bulk-loader: " + ReportFields.text(report, "command"));
  }

  /**
   * The page of a report.
   *
   * @throws IllegalArgumentException when it is not the report of a load; the message continues a
   *     sentence that begins with the report's name
   */
  public static String of(JsonNode report) {
    if (!report.path("report").asText().equals("bulk-loader")) {
      throw new IllegalArgumentException("must be a report of bulk-loader");
    }
    if (report.path("command").asText().equals("verify")) {
      throw new IllegalArgumentException("must be the report of a load, found one of verify");
    }
    LoadPage made = new LoadPage(report);
    made.head();
    made.tiles();
    made.refused();
    made.books();
    made.points();
    made.process();
    return made.page.html();
  }

  private void head() {
    String mode = ReportFields.textIfAny(report, "mode");
    String version = ReportFields.textIfAny(report, "version");
    page.add(
        Element.of("h1", "Load of history: " + outcome()),
        Blocks.note(
            "bulk-loader %s%s%s%s, %s to %s (UTC)"
                .formatted(
                    version,
                    version.isEmpty() ? "" : " ",
                    ReportFields.text(report, "command"),
                    mode.isEmpty() ? "" : ", mode " + mode,
                    ReportFields.text(report, "started"),
                    ReportFields.text(report, "ended"))));
    String message = ReportFields.text(report, "message");
    if (!message.isEmpty()) {
      page.add(Element.of("p", message).with("class", "bad"));
    }
    for (String warning : ReportFields.texts(report, "warnings")) {
      page.add(Element.of("p", "Warning: " + warning));
    }
  }

  private boolean isDone() {
    return ReportFields.number(report, "exitCode") == 0;
  }

  private String outcome() {
    return isDone() ? "done" : "exit code " + ReportFields.number(report, "exitCode");
  }

  private void tiles() {
    long rejected = count("pointsRejected");
    JsonNode rates = ReportFields.object(report, "perSecond");
    page.add(
        Blocks.tiles(
            List.of(
                Blocks.tile(outcome(), closing(), Verdict.of(isDone())),
                tile(count(Count.POINTS_READ), "points read"),
                tile(count(Count.POINTS_WRITTEN), "points written"),
                Blocks.tile(
                    Numbers.grouped(rejected), "points rejected", Verdict.of(rejected == 0)),
                tile(count("pointsSkipped"), "points left out by --skip"),
                Blocks.tile(
                    duration(),
                    Numbers.grouped(ReportFields.number(rates, "pointsRead"))
                        + " points read per second",
                    Verdict.NONE))));
  }

  private static Element tile(long number, String text) {
    return Blocks.tile(Numbers.grouped(number), text, Verdict.NONE);
  }

  private String closing() {
    if (report.path("booksClose").asBoolean()) {
      return "the books close";
    }
    return isDone() ? "the books do not close" : "the load stopped before all points were settled";
  }

  private String duration() {
    try {
      Duration took =
          Duration.between(
              Instant.parse(ReportFields.text(report, "started")),
              Instant.parse(ReportFields.text(report, "ended")));
      long seconds = took.toSeconds();
      if (seconds < 60) {
        return Numbers.grouped(took.toMillis() / 1000.0, 1) + " s";
      }
      return seconds < 3600
          ? String.format(Locale.ROOT, "%d min %02d s", seconds / 60, seconds % 60)
          : String.format(Locale.ROOT, "%d h %02d min", seconds / 3600, seconds % 3600 / 60);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("must have times: " + e.getMessage(), e);
    }
  }

  /** Rejected and skipped points by reason. What is wrong comes before what is right. */
  private void refused() {
    page.add(Element.of("h2", "Rejected and skipped points"));
    Map<String, Long> rejected = ReportFields.numbers(counts, "rejected");
    Map<String, Long> skipped = ReportFields.numbers(counts, "skipped");
    rejected.values().removeIf(points -> points == 0);
    skipped.values().removeIf(points -> points == 0);
    if (rejected.isEmpty() && skipped.isEmpty()) {
      page.add(Blocks.note("None."));
      return;
    }
    BarChart chart = new BarChart("points rejected by reason and skipped by kind", LABELS);
    rejected.forEach(
        (reason, points) ->
            chart.bar("rejected: " + reason, points, Numbers.grouped(points), Colour.BAD));
    skipped.forEach(
        (kind, points) ->
            chart.bar("skipped: " + kind, points, Numbers.grouped(points), Colour.PALE));
    page.add(Blocks.card(chart.svg()));
    samples();
    for (String file : ReportFields.texts(report, "rejectFiles")) {
      page.add(Blocks.note("All rejected points: " + file));
    }
  }

  private void samples() {
    List<Row> rows = new ArrayList<>();
    for (JsonNode sample : ReportFields.list(report, "rejectedSamples")) {
      rows.add(
          Row.of(
              ReportFields.text(sample, "reason"),
              ReportFields.text(sample, "file") + ":" + ReportFields.number(sample, "line"),
              ReportFields.text(sample, "detail"),
              ReportFields.text(sample, "text")));
    }
    if (!rows.isEmpty()) {
      page.add(
          Element.of("h3", "The first of the rejected points"),
          Blocks.card(Blocks.texts(List.of("reason", "file and line", "rule", "text"), rows)));
    }
  }

  private void books() {
    List<Row> rows = new ArrayList<>();
    long left = count(Count.POINTS_READ);
    rows.add(Row.of("points read", Numbers.grouped(left)));
    for (Count each : Count.BOOKS) {
      rows.add(Row.of("- " + TextTable.words(each.key()), Numbers.grouped(count(each))));
      left -= count(each);
    }
    for (String each : List.of("pointsSkipped", "pointsRejected")) {
      rows.add(Row.of("- " + TextTable.words(each), Numbers.grouped(count(each))));
      left -= count(each);
    }
    boolean closed = isDone() || report.path("booksClose").asBoolean();
    rows.add(new Row(true, List.of(closed ? "= missing" : "= not settled", Numbers.grouped(left))));
    page.add(Element.of("h2", "Books"), Blocks.card(Blocks.table(List.of(), rows)));
  }

  private void points() {
    JsonNode points = report.path("points");
    if (points.isMissingNode()) {
      if (ReportFields.text(report, "command").equals("generate")) {
        return;
      }
      page.add(
          Element.of("h2", "Points by day and by metric"),
          Blocks.note("Not known: they are counted when all of the input has been read."));
      return;
    }
    days(ReportFields.object(points, "byTime"));
    metrics(ReportFields.object(points, "byMetric"));
    page.add(
        Blocks.note(
            "Points of the input that were neither skipped nor rejected, "
                + Numbers.grouped(ReportFields.number(points, "accepted"))
                + " together; duplicates, and points that were stored already, are among them."));
  }

  private void days(JsonNode byTime) {
    TimeColumns time =
        TimeColumns.of(ReportFields.text(byTime, "unit"), ReportFields.numbers(byTime, "points"));
    ColumnChart chart = new ColumnChart("points by " + time.unit());
    time.columns().forEach((label, n) -> chart.column(label, n, Numbers.grouped(n) + " points"));
    page.add(Element.of("h2", "Points by " + time.unit()), Blocks.card(chart.svg()));
    List<String> gaps = time.gaps();
    if (!gaps.isEmpty()) {
      List<String> first = gaps.subList(0, Math.min(SHOWN_GAPS, gaps.size()));
      page.add(
          Element.of(
              "p",
              "Without points: %s%s."
                  .formatted(
                      String.join(", ", first),
                      gaps.size() > SHOWN_GAPS
                          ? ", and " + (gaps.size() - SHOWN_GAPS) + " more"
                          : "")));
    }
  }

  private void metrics(JsonNode byMetric) {
    List<JsonNode> largest = ReportFields.list(byMetric, "largest");
    BarChart chart = new BarChart("points by metric", METRIC_LABELS);
    for (JsonNode entry : largest) {
      long points = ReportFields.number(entry, "points");
      chart.bar(
          ReportFields.text(entry, "metric"),
          (double) points,
          Numbers.grouped(points),
          Colour.FIRST);
    }
    long others = ReportFields.number(byMetric, "others");
    if (others > 0) {
      chart.bar("all others", (double) others, Numbers.grouped(others), Colour.PALE);
    }
    page.add(Element.of("h2", "Points by metric"), Blocks.card(chart.svg()));
    if (byMetric.has("metrics")) {
      page.add(
          Blocks.note(
              Numbers.grouped(ReportFields.number(byMetric, "metrics"))
                  + (others > 0 ? " metrics; the largest are shown." : " metrics.")));
    }
    if (!byMetric.path("exact").asBoolean()) {
      page.add(
          Blocks.note(
              "There are too many metrics to count all: each bar has at least so many points, and"
                  + " the others have the rest."));
    }
  }

  private void process() {
    page.add(Element.of("h2", "Process"));
    BarChart phases = new BarChart("seconds of each phase", LABELS);
    for (Map.Entry<String, JsonNode> phase :
        ReportFields.object(report, "secondsByPhase").properties()) {
      double seconds = phase.getValue().asDouble();
      phases.bar(phase.getKey(), seconds, Numbers.grouped(seconds, 1) + " s", Colour.SECOND);
    }
    page.add(Blocks.card(phases.svg()));
    if (report.path("resumed").asBoolean()) {
      page.add(
          Blocks.note(
              "The load was resumed: phases and rates are of the last process, counts of all."));
    }
    List<Row> rows = new ArrayList<>();
    for (List<Count> counts : List.of(Count.INPUT, Count.OUTPUT)) {
      for (Count each : counts) {
        if (count(each) != 0) {
          rows.add(Row.of(TextTable.words(each.key()), Numbers.grouped(count(each))));
        }
      }
    }
    ReportFields.numbers(report, "uidsAssigned")
        .forEach((kind, n) -> rows.add(Row.of("UIDs assigned: " + kind, Numbers.grouped(n))));
    page.add(Blocks.card(Blocks.table(List.of(), rows)));
    names();
  }

  private void names() {
    JsonNode input = ReportFields.object(report, "input");
    List<Row> rows = new ArrayList<>();
    List<String> options = ReportFields.texts(report, "options");
    if (!options.isEmpty()) {
      rows.add(Row.of("options", String.join("\n", options)));
    }
    List<String> files = ReportFields.texts(input, "names");
    if (!files.isEmpty()) {
      List<String> first = files.subList(0, Math.min(SHOWN, files.size()));
      rows.add(
          Row.of(
              "input",
              String.join("\n", first)
                  + (files.size() > SHOWN
                      ? "\nand " + Numbers.grouped(files.size() - (long) SHOWN) + " more"
                      : "")));
    }
    add(rows, "work directory", ReportFields.textIfAny(report, "workDirectory"));
    add(rows, "cell timestamp", ReportFields.textIfAny(report, "cellTimestamp"));
    add(rows, "stack trace", ReportFields.textIfAny(report, "stackTrace"));
    page.add(Blocks.card(Blocks.texts(List.of(), rows)));
  }

  private static void add(List<Row> rows, String name, String text) {
    if (!text.isEmpty()) {
      rows.add(Row.of(name, text));
    }
  }

  private long count(Count count) {
    return count(count.key());
  }

  private long count(String key) {
    return ReportFields.number(counts, key);
  }
}
