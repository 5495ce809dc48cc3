package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.Report.Section;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.time.Duration;
import java.util.List;

/** The report as JSON, without what a resuming run reads, and as a table of text. */
public final class ReportSections {
  private static final String WINDOW = "window";
  private static final String HOLD_BACK = "hold-back";

  private final RollupReport run;
  private final Report report;
  private final ObjectNode json;
  private final TextTable table;

  private ReportSections(RollupReport run) {
    this.run = run;
    this.report =
        new Report(ReportJson.NAME, ReportJson.VERSION)
            .outcome(run.exitCode(), run.message())
            .times(run.started(), run.ended());
    this.json = report.json();
    this.table = report.table();
  }

  /** The report of a run; the table of a run in progress is not complete. */
  public static Report of(RollupReport run) {
    ReportSections sections = new ReportSections(run);
    sections.input();
    sections.earlier();
    // The books of a run in progress are not closed yet.
    sections.json.put("booksClose", !run.isRunning() && run.books().close());
    sections.rows(run.books());
    sections.points(run.books());
    sections.output(run.books());
    sections.end(run.books());
    return sections.report;
  }

  /**
   * The table of a plan, for a dry run.
   *
   * @param messagesPerInterval of a rollup without further aggregators
   */
  public static String plan(
      RollupPlan plan,
      HoldBack holdBack,
      List<DelaySla> delaySla,
      int messagesPerInterval,
      int rollupsPerMessage,
      RollupIntervals intervals) {
    Report report = new Report(ReportJson.NAME, ReportJson.VERSION);
    TextTable table = report.table().text(HOLD_BACK, holdBack.toString());
    delaySla.forEach(one -> table.text("delaySla", one.toString()));
    plan(report, plan);
    long rollups = Math.round(plan.estimatedRows() * intervals.perRow());
    boolean further = !intervals.furtherText().isEmpty();
    if (further) {
      table.text("suite", "of some metrics also " + intervals.furtherText());
    }
    return table
        .count("estimated output", "rollups, about", rollups)
        .count(
            "",
            rollupsPerMessage == 1 && !(further && messagesPerInterval > 1)
                ? "messages, about"
                : "messages, at least about",
            (rollups * messagesPerInterval + rollupsPerMessage - 1) / rollupsPerMessage)
        .toString();
  }

  private void input() {
    table.text(WINDOW, run.intervals() + " from " + run.from() + " to " + run.to());
    table.text(HOLD_BACK, run.holdBack().toString());
    report.facts("input", run.input());
    if (!run.output().isEmpty()) {
      run.output().forEach(json.putObject("output")::put);
    }
    ObjectNode window =
        json.putObject(WINDOW)
            .put("interval", run.intervals())
            .put("from", run.from().toString())
            .put("to", run.to().toString())
            .put("holdBackSeconds", run.holdBack().seconds());
    if (run.holdBack().isOn()) {
      window.put("newestEnd", run.holdBack().newestEnd().toString());
    }
    if (run.plan() != null) {
      plan(report, run.plan());
    }
  }

  private static void plan(Report report, RollupPlan plan) {
    Section section = report.section("plan");
    section
        .count("regions", plan.regions())
        .count("regionsInWindow", "regions in the window", plan.regionsInWindow())
        .count("files", "HFiles of those", plan.files())
        .count("filesInWindow", "HFiles in the window", plan.filesInWindow())
        .count("fileBytes", "bytes of the HFiles", plan.fileBytes())
        .count("windowBytes", "bytes in the window", plan.windowBytes());
    section.json().put("estimatedRows", plan.estimatedRows());
    section.count("partitions", plan.partitions().size());
  }

  /** Earlier runs, whose books are included in the sections below. */
  private void earlier() {
    if (run.finished() != null) {
      json.put("partitionsFinished", run.finished().size());
    }
    EarlierRuns earlier = run.earlier();
    if (earlier == null) {
      return;
    }
    json.putObject("resumed")
        .put("report", earlier.report())
        .put("earlierRuns", earlier.runs())
        .put("firstStarted", earlier.started().toString())
        .put("partitions", earlier.partitions())
        .set("books", BooksJson.counts(earlier.books()));
    table
        .text("resumed", earlier.report() + ", begun " + earlier.started())
        .count("from before", "runs", earlier.runs())
        .count("", "partitions", earlier.partitions())
        .count("", "rows read", earlier.books().count(Count.ROWS_READ))
        .count("", "bytes read", earlier.books().count(Count.BYTES_READ))
        .count("", "messages acknowledged", earlier.books().count(Count.MESSAGES_ACKNOWLEDGED));
  }

  private void rows(Books books) {
    Section rows =
        report
            .section("rows")
            .count("read", books.count(Count.ROWS_READ))
            .count("emitted", books.count(Count.ROWS_EMITTED));
    for (SkipReason reason : SkipReason.values()) {
      rows.reason("skipped", reason.key(), reason.text(), books.skipped(reason));
    }
    failures(rows, books, false);
    rows.rare("takenBack", "without points now, taken back", books.count(Count.ROWS_TAKEN_BACK))
        .rare("vanished", "vanished, their rollups stay", books.count(Count.ROWS_VANISHED));
    if (books.count(Count.ROWS_VANISHED) > 0) {
      books.vanished().forEach(json.putArray("vanishedRows")::add);
    }
    Section days =
        report.section("days", books.count(Count.DAYS_READ) > 0 ? "days of series" : null);
    days.count("read", books.count(Count.DAYS_READ))
        .count("emitted", books.count(Count.DAYS_EMITTED));
    failures(days, books, true);
  }

  private static void failures(Section section, Books books, boolean ofDay) {
    for (FailReason reason : FailReason.values()) {
      // A report of rollups without histograms does not name it.
      boolean named = reason != FailReason.UNKNOWN_CODEC || books.failed(reason) > 0;
      if (reason.isOfDay() == ofDay && named) {
        section.reason("failed", reason.key(), reason.text(), books.failed(reason));
      }
    }
  }

  private void points(Books books) {
    report
        .section("points")
        .count("read", books.count(Count.POINTS_READ))
        .count("aggregated", books.count(Count.POINTS_AGGREGATED))
        .count("duplicates", "duplicates dropped", books.count(Count.POINTS_DUPLICATE))
        .count("notANumber", books.count(Count.POINTS_NOT_A_NUMBER))
        .count("inFailedRows", books.count(Count.POINTS_IN_FAILED_ROWS))
        .json()
        .put("ambiguousDuplicates", books.count(Count.AMBIGUOUS_DUPLICATES));
    report
        .section("setAside")
        .count("annotations", books.count(Count.ANNOTATIONS))
        .count("histograms", books.count(Count.HISTOGRAMS))
        .count("emptyValues", books.count(Count.EMPTY_VALUES))
        .count("unknownColumns", books.count(Count.UNKNOWN_COLUMNS));
  }

  private void output(Books books) {
    json.put("rollups", books.intervalsEmitted());
    json.set("rollupsByInterval", BooksJson.json(books.rollups()));
    if (!books.furtherRollups().isEmpty()) {
      json.set("rollupsByLevel", BooksJson.json(books.furtherRollups()));
    }
    if (!books.histogramsAlone().isEmpty()) {
      json.set("histogramsAlone", BooksJson.json(books.histogramsAlone()));
    }
    if (!books.lateHistogramsAlone().isEmpty()) {
      json.set("lateHistogramsAlone", BooksJson.json(books.lateHistogramsAlone()));
    }
    json.put("rollupsTakenBack", books.count(Count.ROLLUPS_TAKEN_BACK));
    table.count("output", "rollups", books.intervalsEmitted());
    books.rollups().forEach((interval, count) -> table.count("", "of these, " + interval, count));
    books.furtherRollups().forEach((level, count) -> table.count("", "with " + level, count));
    long tooWide = books.count(Count.HISTOGRAMS_TOO_WIDE);
    long mixed = books.count(Count.HISTOGRAMS_MIXED);
    String histogram = Level.text("", Level.HISTOGRAM);
    if (tooWide + mixed > 0
        || books.furtherRollups().keySet().stream().anyMatch(level -> level.endsWith(histogram))) {
      json.putObject("histograms").put("tooWide", tooWide).put("mixed", mixed);
      table
          .count("", "without histogram, too wide", tooWide)
          .count("", "histograms beside points", mixed);
    }
    if (books.count(Count.ROLLUPS_TAKEN_BACK) > 0) {
      table.count("", "rollups taken back", books.count(Count.ROLLUPS_TAKEN_BACK));
    }
    ObjectNode messages =
        json.putObject("messages")
            .put("sent", books.count(Count.MESSAGES_SENT))
            .put("acknowledged", books.count(Count.MESSAGES_ACKNOWLEDGED));
    if (run.rollupsPerMessage() > 1) {
      messages.put("rollupsPerMessage", run.rollupsPerMessage());
    }
    table.count("", "messages acknowledged", books.count(Count.MESSAGES_ACKNOWLEDGED));
    report
        .section("storage")
        .count("bytesRead", books.count(Count.BYTES_READ))
        .count("readCalls", books.count(Count.READ_CALLS));
  }

  private void end(Books books) {
    json.set("failedSamples", BooksJson.samples(books));
    report.phases(run.phases());
    table.text("wall clock", Duration.between(run.started(), run.ended()).toString());
    books
        .samples()
        .forEach((reason, list) -> list.forEach(s -> table.text("failed: " + reason.text(), s)));
    books.vanished().stream().limit(Books.SAMPLES).forEach(row -> table.text("vanished", row));
    report.list("warnings", "warning", run.warnings());
    if (run.proof() != null) {
      RunProofJson.write(json.putObject("proof"), run.proof());
    }
    run.dataFiles().forEach(json.putArray("dataFiles")::add);
    if (run.isResumable()) {
      int finished = run.kept().map(FinishedPartitions::size).orElse(0);
      table.count("resumable", "partitions finished", finished);
    }
    report.end(books.close() ? "close" : "DO NOT CLOSE");
  }
}
