package io.tsdbsuite.bulk.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.job.page.BarChart;
import io.tsdbsuite.job.page.Blocks;
import io.tsdbsuite.job.page.Blocks.Row;
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
import java.util.stream.Stream;

/** The JSON report of a load as an HTML page. */
public final class LoadPage {
  private static final int METRIC_LABELS = 380;
  private static final int LABELS = 200;
  private static final int SHOWN = 20;
  private static final int SHOWN_GAPS = 5;

  private final ReportFields report;
  private final ReportFields counts;
  private final HtmlPage page;
  private final boolean done;
  private final String outcome;

  private LoadPage(ReportFields report) {
    this.report = report;
    this.counts = report.object("counts");
    this.page = new HtmlPage("bulk-loader: " + report.text("command"));
    this.done = report.number("exitCode") == 0;
    this.outcome = done ? "done" : "exit code " + report.number("exitCode");
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
    LoadPage made = new LoadPage(new ReportFields(report));
    made.head();
    made.tiles();
    made.refused();
    made.books();
    made.points();
    made.process();
    return made.page.html();
  }

  private void head() {
    String mode = report.textIfAny("mode");
    String version = report.textIfAny("version");
    page.heading("Load of history: " + outcome)
        .note(
            "bulk-loader %s%s%s%s, %s to %s (UTC)"
                .formatted(
                    version,
                    version.isEmpty() ? "" : " ",
                    report.text("command"),
                    mode.isEmpty() ? "" : ", mode " + mode,
                    report.text("started"),
                    report.text("ended")));
    String message = report.text("message");
    if (!message.isEmpty()) {
      page.add(Element.of("p", message).with("class", "bad"));
    }
    report.texts("warnings").forEach(warning -> page.text("Warning: " + warning));
  }

  private void tiles() {
    long rejected = count("pointsRejected");
    long rate = report.object("perSecond").number("pointsRead");
    page.tiles(
        List.of(
            Blocks.tile(outcome, closing(), done),
            tile(Count.POINTS_READ.key(), "points read"),
            tile(Count.POINTS_WRITTEN.key(), "points written"),
            Blocks.tile(Numbers.grouped(rejected), "points rejected", rejected == 0),
            tile("pointsSkipped", "points left out by --skip"),
            Blocks.tile(duration(), Numbers.grouped(rate) + " points read per second")));
  }

  private Element tile(String key, String text) {
    return Blocks.tile(Numbers.grouped(count(key)), text);
  }

  private String closing() {
    if (report.is("booksClose")) {
      return "the books close";
    }
    return done ? "the books do not close" : "the load stopped before all points were settled";
  }

  private String duration() {
    try {
      Duration took =
          Duration.between(
              Instant.parse(report.text("started")), Instant.parse(report.text("ended")));
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
    page.section("Rejected and skipped points");
    Map<String, Long> rejected = counts.numbers("rejected");
    Map<String, Long> skipped = counts.numbers("skipped");
    rejected.values().removeIf(points -> points == 0);
    skipped.values().removeIf(points -> points == 0);
    if (rejected.isEmpty() && skipped.isEmpty()) {
      page.note("None.");
      return;
    }
    BarChart chart = new BarChart("points rejected by reason and skipped by kind", LABELS);
    rejected.forEach((reason, n) -> bar(chart, "rejected: " + reason, n, Colour.BAD));
    skipped.forEach((kind, n) -> bar(chart, "skipped: " + kind, n, Colour.PALE));
    page.card(chart.svg());
    samples();
    report.texts("rejectFiles").forEach(file -> page.note("All rejected points: " + file));
  }

  private static void bar(BarChart chart, String label, long points, Colour colour) {
    chart.bar(label, (double) points, Numbers.grouped(points), colour);
  }

  private void samples() {
    List<Row> rows =
        report.list("rejectedSamples").stream()
            .map(
                sample ->
                    Row.of(
                        sample.text("reason"),
                        sample.text("file") + ":" + sample.number("line"),
                        sample.text("detail"),
                        sample.text("text")))
            .toList();
    if (!rows.isEmpty()) {
      page.add(Element.of("h3", "The first of the rejected points"))
          .card(Blocks.texts(List.of("reason", "file and line", "rule", "text"), rows));
    }
  }

  private void books() {
    List<Row> rows = new ArrayList<>();
    long read = count(Count.POINTS_READ.key());
    rows.add(Row.of("points read", Numbers.grouped(read)));
    List<String> settled =
        Stream.concat(
                Count.BOOKS.stream().map(Count::key), Stream.of("pointsSkipped", "pointsRejected"))
            .toList();
    settled.forEach(key -> rows.add(row("- ", key)));
    long left = read - settled.stream().mapToLong(this::count).sum();
    String rest = done || report.is("booksClose") ? "= missing" : "= not settled";
    rows.add(new Row(true, List.of(rest, Numbers.grouped(left))));
    page.section("Books").card(Blocks.table(List.of(), rows));
  }

  private void points() {
    if (report.has("points")) {
      ReportFields points = report.object("points");
      days(points.object("byTime"));
      metrics(points.object("byMetric"));
      page.note(
          "Points of the input that were neither skipped nor rejected, "
              + Numbers.grouped(points.number("accepted"))
              + " together; duplicates, and points that were stored already, are among them.");
    } else if (!report.text("command").equals("generate")) {
      page.section("Points by day and by metric")
          .note("Not known: they are counted when all of the input has been read.");
    }
  }

  private void days(ReportFields byTime) {
    TimeColumns time = TimeColumns.of(byTime.text("unit"), byTime.numbers("points"));
    ColumnChart chart = new ColumnChart("points by " + time.unit());
    time.columns().forEach((label, n) -> chart.column(label, n, Numbers.grouped(n) + " points"));
    page.section("Points by " + time.unit()).card(chart.svg());
    if (!time.gaps().isEmpty()) {
      page.text("Without points: " + first(time.gaps(), SHOWN_GAPS, ", ") + ".");
    }
  }

  /** The first of some names, and the number of the others. */
  private static String first(List<String> names, int shown, String between) {
    return names.size() <= shown
        ? String.join(between, names)
        : String.join(between, names.subList(0, shown))
            + between
            + "and "
            + Numbers.grouped(names.size() - (long) shown)
            + " more";
  }

  private void metrics(ReportFields byMetric) {
    BarChart chart = new BarChart("points by metric", METRIC_LABELS);
    for (ReportFields entry : byMetric.list("largest")) {
      bar(chart, entry.text("metric"), entry.number("points"), Colour.FIRST);
    }
    long others = byMetric.number("others");
    if (others > 0) {
      bar(chart, "all others", others, Colour.PALE);
    }
    page.section("Points by metric").card(chart.svg());
    if (byMetric.has("metrics")) {
      page.note(
          Numbers.grouped(byMetric.number("metrics"))
              + (others > 0 ? " metrics; the largest are shown." : " metrics."));
    }
    if (!byMetric.is("exact")) {
      page.note(
          "There are too many metrics to count all: each bar has at least so many points, and the"
              + " others have the rest.");
    }
  }

  private void process() {
    BarChart phases = new BarChart("seconds of each phase", LABELS);
    for (Map.Entry<String, JsonNode> phase : report.object("secondsByPhase").node().properties()) {
      double seconds = phase.getValue().asDouble();
      phases.bar(phase.getKey(), seconds, Numbers.grouped(seconds, 1) + " s", Colour.SECOND);
    }
    page.section("Process").card(phases.svg());
    if (report.is("resumed")) {
      page.note("The load was resumed: phases and rates are of the last process, counts of all.");
    }
    List<Row> rows = new ArrayList<>();
    Stream.concat(Count.INPUT.stream(), Count.OUTPUT.stream())
        .map(Count::key)
        .filter(key -> count(key) != 0)
        .forEach(key -> rows.add(row("", key)));
    report
        .numbers("uidsAssigned")
        .forEach((kind, n) -> rows.add(Row.of("UIDs assigned: " + kind, Numbers.grouped(n))));
    page.card(Blocks.table(List.of(), rows)).card(Blocks.texts(List.of(), names()));
  }

  private List<Row> names() {
    List<Row> rows = new ArrayList<>();
    add(rows, "options", String.join("\n", report.texts("options")));
    add(rows, "input", first(report.object("input").texts("names"), SHOWN, "\n"));
    add(rows, "work directory", report.textIfAny("workDirectory"));
    add(rows, "cell timestamp", report.textIfAny("cellTimestamp"));
    add(rows, "stack trace", report.textIfAny("stackTrace"));
    return rows;
  }

  private static void add(List<Row> rows, String name, String text) {
    if (!text.isEmpty()) {
      rows.add(Row.of(name, text));
    }
  }

  private Row row(String before, String key) {
    return Row.of(before + TextTable.words(key), Numbers.grouped(count(key)));
  }

  private long count(String key) {
    return counts.number(key);
  }
}
