package io.tsdbsuite.bulk.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import java.util.List;
import java.util.Locale;

/**
 * The report of a load as JSON and as a table of text. The JSON has every count, reject reason and
 * kind of skipped values, also at 0. The books of the table are a sum: signed lines below {@code
 * points read}, and the remainder as the last line, 0 when the books close.
 */
public final class ReportSections {
  private static final int VERSION = 1;
  private static final int LARGEST_METRICS = 20;
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

  private final LoadReport load;
  private final Report report = new Report("bulk-loader", VERSION, new TextTable(16, 36, 22));
  private final ObjectNode json = report.json();
  private final TextTable table = report.table();

  private ReportSections(LoadReport load) {
    this.load = load;
  }

  /**
   * The program that made a report.
   *
   * @param options options of the command line, without the input
   */
  public record Program(String version, List<String> options) {
    /** Copies the list. */
    public Program {
      options = List.copyOf(options);
    }
  }

  /**
   * The report of a load.
   *
   * @param program what made the report
   */
  public static Report of(LoadReport load, Program program) {
    ReportSections sections = new ReportSections(load);
    sections.frame(program);
    sections.inputs();
    sections.counts();
    sections.rates();
    sections.findings();
    Report report = sections.report.end(sections.state());
    if (load.snapshotFrom() != null) {
      report
          .table()
          .text(
              "snapshot",
              "for rollup-job: take it at "
                  + load.snapshotFrom()
                  + " or later, by this machine's clock; queries do not use rollups of an earlier"
                  + " one");
    }
    return report;
  }

  private void frame(Program program) {
    json.put("version", program.version()).put("command", load.command());
    program.options().forEach(json.putArray("options")::add);
    report.outcome(load.exitCode(), load.message());
    json.put("stackTrace", load.stackTrace());
    report.times(load.started(), load.ended());
    json.put("mode", load.mode())
        .put("cellTimestamp", load.cellTimestamp())
        .put("snapshotFrom", load.snapshotFrom() == null ? "" : load.snapshotFrom().toString())
        .put("workDirectory", load.workDirectory());
    text("command", load.command());
    text("mode", load.mode());
    text("cell timestamp", load.cellTimestamp());
  }

  private void inputs() {
    List<String> names = load.inputs().stream().map(InputSummary::file).toList();
    ObjectNode input =
        json.putObject("input").put("files", names.size()).put("bytes", load.inputBytes());
    names.forEach(input.putArray("names")::add);
    if (names.isEmpty()) {
      return;
    }
    table.count("input", "files", names.size()).count("", "bytes of files", load.inputBytes());
    names.stream().limit(SHOWN_INPUTS).forEach(name -> text("", name));
    if (names.size() > SHOWN_INPUTS) {
      text("", "and " + (names.size() - SHOWN_INPUTS) + " more");
    }
  }

  private void counts() {
    json.put("booksClose", load.booksClose());
    counts(json.putObject("counts"), load.tally());
    json.put("resumed", load.before().get(Count.POINTS_READ) > 0);
    counts(json.putObject("beforeResume"), load.before());
    if (load.metrics() != null) {
      points(json.putObject("points"), load.tally(), load.metrics());
    }
    lines("input", INPUT);
    books(load.tally());
    lines("table", OUTPUT);
    ObjectNode uids = json.putObject("uidsAssigned");
    load.uidsAssigned()
        .forEach(
            (kind, assigned) -> {
              uids.put(kind, assigned);
              table.count("UIDs assigned", kind, assigned);
            });
  }

  private static void counts(ObjectNode node, Tally tally) {
    for (Count count : Count.values()) {
      node.put(count.key(), tally.get(count));
    }
    node.put("pointsRejected", tally.rejected());
    ObjectNode rejected = node.putObject("rejected");
    for (RejectReason reason : RejectReason.values()) {
      rejected.put(reason.key(), tally.rejected(reason));
    }
    node.put("pointsSkipped", tally.skipped());
    ObjectNode skipped = node.putObject("skipped");
    for (SkipKind kind : SkipKind.values()) {
      skipped.put(kind.key(), tally.skipped(kind));
    }
  }

  /** The sums by metric and the sums by time are both all accepted points. */
  private static void points(ObjectNode node, Tally tally, PointsByMetric metrics) {
    node.put("accepted", tally.accepted());
    ObjectNode byMetric = node.putObject("byMetric");
    byMetric.put("exact", metrics.isExact());
    if (metrics.metrics() >= 0) {
      byMetric.put("metrics", metrics.metrics());
    }
    ArrayNode largest = byMetric.putArray("largest");
    long shown = 0;
    for (PointsByMetric.Entry entry : metrics.largest(LARGEST_METRICS)) {
      largest.addObject().put("metric", entry.metric()).put("points", entry.points());
      shown += entry.points();
    }
    byMetric.put("others", metrics.total() - shown);
    PointsByTime times = PointsByTime.of(tally.days());
    ObjectNode byTime = node.putObject("byTime");
    byTime.put("unit", times.unit());
    ObjectNode sums = byTime.putObject("points");
    times.points().forEach(sums::put);
  }

  private void books(Tally tally) {
    table.count("books", TextTable.words(Count.POINTS_READ.key()), tally.get(Count.POINTS_READ));
    for (Count count : BOOKS) {
      table.count("", "- " + TextTable.words(count.key()), tally.get(count));
    }
    table.count("", "- skipped", tally.skipped());
    for (SkipKind kind : SkipKind.values()) {
      if (tally.skipped(kind) > 0) {
        table.count("", "    " + kind.key(), tally.skipped(kind));
      }
    }
    table.count("", "- rejected", tally.rejected());
    for (RejectReason reason : RejectReason.values()) {
      if (tally.rejected(reason) > 0) {
        table.count("", "    " + TextTable.words(reason.key()), tally.rejected(reason));
      }
    }
    table.count("", isCutShort() ? "= not settled" : "= missing", tally.missing());
  }

  private void lines(String group, Count[] counts) {
    String name = group;
    for (Count count : counts) {
      if (load.tally().get(count) != 0) {
        table.count(name, TextTable.words(count.key()), load.tally().get(count));
        name = "";
      }
    }
  }

  private void rates() {
    report
        .section("perSecond", "this run")
        .count("pointsRead", "points read per second", perSecond(Count.POINTS_READ))
        .count("pointsWritten", "points written per second", perSecond(Count.POINTS_WRITTEN))
        .count("rowsWritten", "rows written per second", perSecond(Count.ROWS_WRITTEN));
    report.phases(load.secondsByPhase());
    double seconds = load.took().toMillis() / 1000.0;
    text("wall clock", String.format(Locale.ROOT, "%.1f s", seconds));
  }

  private long perSecond(Count count) {
    return Math.round(load.perSecond(count));
  }

  private void findings() {
    load.samples().forEach(sample -> text("rejected", sample.toString()));
    report.list("rejectFiles", "reject file", load.rejectFiles());
    ArrayNode samples = json.putArray("rejectedSamples");
    for (RejectSample sample : load.samples()) {
      samples
          .addObject()
          .put("reason", sample.reason().key())
          .put("file", sample.file())
          .put("line", sample.line())
          .put("detail", sample.detail())
          .put("text", sample.text());
    }
    text("work directory", load.workDirectory());
    report.list("warnings", "warning", load.warnings());
  }

  /** Whether the load ended before all points that were read were accounted for. */
  private boolean isCutShort() {
    return switch (load.exitCode()) {
      case BAD_INPUT, USAGE, OUTSIDE -> !load.booksClose();
      // An exception ends a load early; without one it came to its end.
      case DEFECT -> !load.booksClose() && !load.stackTrace().isEmpty();
      case DONE -> false;
    };
  }

  private String state() {
    if (load.booksClose()) {
      return "close";
    }
    return isCutShort() ? "open: the load stopped early" : "DO NOT CLOSE";
  }

  /** Empty if there are no such entries. */
  private void text(String name, String value) {
    if (!value.isEmpty()) {
      table.text(name, value);
    }
  }
}
