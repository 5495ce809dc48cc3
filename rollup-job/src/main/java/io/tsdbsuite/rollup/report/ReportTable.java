package io.tsdbsuite.rollup.report;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The report as a text table. */
public final class ReportTable {
  private final StringBuilder out = new StringBuilder();

  private ReportTable() {}

  /** The final table of a run. */
  public static String of(RollupReport report) {
    ReportTable table = new ReportTable();
    table.write(report);
    return table.out.toString();
  }

  /** The table of a plan, for a dry run. */
  public static String of(
      RollupPlan plan,
      HoldBack holdBack,
      List<DelaySla> delaySla,
      int messagesPerInterval,
      int rollupsPerMessage,
      double intervalsPerRow) {
    ReportTable table = new ReportTable();
    table.text("hold-back", holdBack.toString());
    delaySla.forEach(one -> table.text("delaySla", one.toString()));
    table.plan(plan);
    long rollups = Math.round(plan.estimatedRows() * intervalsPerRow);
    table.line("estimated output", "rollups, about", rollups);
    table.line(
        "",
        rollupsPerMessage == 1 ? "messages, about" : "messages, at least about",
        (rollups * messagesPerInterval + rollupsPerMessage - 1) / rollupsPerMessage);
    return table.out.toString();
  }

  private void write(RollupReport report) {
    text("window", report.intervals() + " from " + report.from() + " to " + report.to());
    text("hold-back", report.holdBack().toString());
    report.input().forEach((key, value) -> text(words(key), value));
    if (report.plan() != null) {
      plan(report.plan());
    }
    if (report.earlier() != null) {
      earlier(report.earlier());
    }
    Books books = report.books();
    line("rows", "read", books.count(Count.ROWS_READ));
    line("", "emitted", books.count(Count.ROWS_EMITTED));
    for (SkipReason reason : SkipReason.values()) {
      line("", "skipped: " + reason.text(), books.skipped(reason));
    }
    failures(books, false);
    if (books.count(Count.ROWS_TAKEN_BACK) > 0) {
      line("", "without points now, taken back", books.count(Count.ROWS_TAKEN_BACK));
    }
    if (books.count(Count.ROWS_VANISHED) > 0) {
      line("", "vanished, their rollups stay", books.count(Count.ROWS_VANISHED));
    }
    if (books.count(Count.DAYS_READ) > 0) {
      line("days of series", "read", books.count(Count.DAYS_READ));
      line("", "emitted", books.count(Count.DAYS_EMITTED));
      failures(books, true);
    }
    line("points", "read", books.count(Count.POINTS_READ));
    line("", "aggregated", books.count(Count.POINTS_AGGREGATED));
    line("", "duplicates dropped", books.count(Count.POINTS_DUPLICATE));
    line("", "not a number", books.count(Count.POINTS_NOT_A_NUMBER));
    line("", "in failed rows", books.count(Count.POINTS_IN_FAILED_ROWS));
    line("set aside", "annotations", books.count(Count.ANNOTATIONS));
    line("", "histograms", books.count(Count.HISTOGRAMS));
    line("", "empty values", books.count(Count.EMPTY_VALUES));
    line("", "unknown columns", books.count(Count.UNKNOWN_COLUMNS));
    line("output", "rollups", books.intervalsEmitted());
    books.rollups().forEach((interval, count) -> line("", "of these, " + interval, count));
    if (books.count(Count.ROLLUPS_TAKEN_BACK) > 0) {
      line("", "rollups taken back", books.count(Count.ROLLUPS_TAKEN_BACK));
    }
    line("", "messages acknowledged", books.count(Count.MESSAGES_ACKNOWLEDGED));
    line("storage", "bytes read", books.count(Count.BYTES_READ));
    line("", "read calls", books.count(Count.READ_CALLS));
    report.phases().forEach((phase, seconds) -> text("seconds: " + phase, number(seconds)));
    text("wall clock", Duration.between(report.started(), report.ended()).toString());
    books
        .samples()
        .forEach((reason, list) -> list.forEach(s -> text("failed: " + reason.text(), s)));
    books.vanished().stream().limit(Books.SAMPLES).forEach(row -> text("vanished", row));
    report.warnings().forEach(warning -> text("warning", warning));
    report
        .kept()
        .map(FinishedPartitions::size)
        .filter(size -> size > 0)
        .ifPresent(size -> line("resumable", "partitions finished", size));
    text("books", books.close() ? "close" : "DO NOT CLOSE");
    ExitCode exit = Objects.requireNonNull(report.exitCode(), "the run has not ended");
    text(
        "outcome",
        exit == ExitCode.DONE ? "done" : "exit code " + exit.code() + ": " + report.message());
  }

  private void plan(RollupPlan plan) {
    line("plan", "regions", plan.regions());
    line("", "regions in the window", plan.regionsInWindow());
    line("", "HFiles of those", plan.files());
    line("", "HFiles in the window", plan.filesInWindow());
    line("", "bytes of the HFiles", plan.fileBytes());
    line("", "bytes in the window", plan.windowBytes());
    line("", "partitions", plan.partitions().size());
  }

  private void failures(Books books, boolean ofDay) {
    for (FailReason reason : FailReason.values()) {
      if (reason.isOfDay() == ofDay) {
        line("", "failed: " + reason.text(), books.failed(reason));
      }
    }
  }

  /** Lines about earlier runs, whose books are included in the lines below. */
  private void earlier(EarlierRuns earlier) {
    text("resumed", earlier.report() + ", begun " + earlier.started());
    line("from before", "runs", earlier.runs());
    line("", "partitions", earlier.partitions());
    line("", "rows read", earlier.books().count(Count.ROWS_READ));
    line("", "bytes read", earlier.books().count(Count.BYTES_READ));
    line("", "messages acknowledged", earlier.books().count(Count.MESSAGES_ACKNOWLEDGED));
  }

  /** {@code dataSnapshotTime} as "data snapshot time". */
  private static String words(String key) {
    return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  private void line(String group, String name, long value) {
    out.append(String.format(Locale.ROOT, "%-18s %-40s %,18d%n", group, name, value));
  }

  private void text(String name, String value) {
    out.append(String.format(Locale.ROOT, "%-18s %s%n", name, value));
  }

  private static String number(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }
}
