package io.tsdbsuite.bulk.report;

import io.tsdbsuite.job.ExitCode;
import java.util.Locale;

/**
 * The report for a terminal. The books are a sum: signed lines below {@code points read}, and the
 * remainder as the last line, 0 when the books close.
 */
public final class ReportTable {
  private static final Count[] BOOKS = {
    Count.POINTS_WRITTEN,
    Count.DUPLICATES_IDENTICAL,
    Count.DUPLICATES_CONFLICTING,
    Count.ALREADY_STORED,
    Count.SUPERSEDED_BY_STORED
  };
  private static final Count[] INPUT = {
    Count.BYTES_READ,
    Count.LINES_READ,
    Count.LINES_WITHOUT_POINT,
    Count.LINES_OF_OTHER_DATABASE,
    Count.LINES_OF_OTHER_RETENTION_POLICY
  };
  private static final Count[] OUTPUT = {
    Count.ROWS_WRITTEN,
    Count.ROWS_UNCHANGED,
    Count.ROWS_MERGED,
    Count.STORED_REPLACED,
    Count.BYTES_WRITTEN
  };
  private static final int SHOWN_INPUTS = 5;

  private final StringBuilder out = new StringBuilder();

  private ReportTable() {}

  /** The table, with a line break at its end. */
  public static String of(LoadReport report) {
    ReportTable table = new ReportTable();
    table.write(report);
    return table.out.toString();
  }

  private void write(LoadReport report) {
    text("command", report.command());
    text("mode", report.mode());
    text("cell timestamp", report.cellTimestamp());
    inputs(report);
    counts("input", INPUT, report.tally());
    books(report);
    counts("table", OUTPUT, report.tally());
    report.uidsAssigned().forEach((kind, n) -> line("UIDs assigned", kind, n));
    line("this run", "points read per second", Math.round(report.perSecond(Count.POINTS_READ)));
    line("", "points written per second", Math.round(report.perSecond(Count.POINTS_WRITTEN)));
    line("", "rows written per second", Math.round(report.perSecond(Count.ROWS_WRITTEN)));
    report.secondsByPhase().forEach((phase, seconds) -> text("seconds: " + phase, number(seconds)));
    text("wall clock", number(report.took().toMillis() / 1000.0) + " s");
    report.samples().forEach(sample -> text("rejected", sample.toString()));
    report.rejectFiles().forEach(file -> text("reject file", file));
    text("work directory", report.workDirectory());
    report.warnings().forEach(warning -> text("warning", warning));
    text("books", state(report));
    text(
        "outcome",
        report.exitCode() == ExitCode.DONE
            ? "done"
            : "exit code " + report.exitCode().code() + ": " + report.message());
  }

  private void inputs(LoadReport report) {
    if (report.inputs().isEmpty()) {
      return;
    }
    line("input", "files", report.inputs().size());
    line("", "bytes of files", report.inputBytes());
    report.inputs().stream().limit(SHOWN_INPUTS).forEach(input -> text("", input.file()));
    if (report.inputs().size() > SHOWN_INPUTS) {
      text("", "and " + (report.inputs().size() - SHOWN_INPUTS) + " more");
    }
  }

  /** Whether the load ended before all points that were read were accounted for. */
  private static boolean isCutShort(LoadReport report) {
    return switch (report.exitCode()) {
      case BAD_INPUT, USAGE, OUTSIDE -> !report.booksClose();
      // An exception ends a load early; without one it came to its end.
      case DEFECT -> !report.booksClose() && !report.stackTrace().isEmpty();
      case DONE -> false;
    };
  }

  private static String state(LoadReport report) {
    if (report.booksClose()) {
      return "close";
    }
    return isCutShort(report) ? "open: the load stopped early" : "DO NOT CLOSE";
  }

  private void books(LoadReport report) {
    Tally tally = report.tally();
    line("books", words(Count.POINTS_READ.key()), tally.get(Count.POINTS_READ));
    for (Count count : BOOKS) {
      line("", "- " + words(count.key()), tally.get(count));
    }
    line("", "- skipped", tally.skipped());
    for (SkipKind kind : SkipKind.values()) {
      if (tally.skipped(kind) > 0) {
        line("", "    " + kind.key(), tally.skipped(kind));
      }
    }
    line("", "- rejected", tally.rejected());
    for (RejectReason reason : RejectReason.values()) {
      if (tally.rejected(reason) > 0) {
        line("", "    " + words(reason.key()), tally.rejected(reason));
      }
    }
    line("", isCutShort(report) ? "= not settled" : "= missing", tally.missing());
  }

  private void counts(String group, Count[] counts, Tally tally) {
    String name = group;
    for (Count count : counts) {
      if (tally.get(count) != 0) {
        line(name, words(count.key()), tally.get(count));
        name = "";
      }
    }
  }

  /** {@code pointsRead} as "points read". */
  private static String words(String key) {
    return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  private void line(String group, String name, long value) {
    out.append(String.format(Locale.ROOT, "%-16s %-36s %,22d%n", group, name, value));
  }

  /** Empty if there are no such entries. */
  private void text(String name, String value) {
    if (!value.isEmpty()) {
      out.append(String.format(Locale.ROOT, "%-16s %s%n", name, value));
    }
  }

  private static String number(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }
}
