package io.tsdbsuite.bulk.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a load: its steps fill it, {@link #closed} ends it, and {@link #report} writes it
 * as JSON and as a table of text. What is not set is empty. Not thread-safe.
 *
 * <p>The JSON has every count, reject reason and kind of skipped values, also at 0. The books of
 * the table are a sum: signed lines below {@code points read}, and the remainder as the last line,
 * 0 when the books close.
 */
public final class BulkLoaderReport {
  private static final int VERSION = 1;
  private static final int LARGEST_METRICS = 20;
  private static final int SHOWN_INPUTS = 5;

  private final String command;
  private final Instant started;
  private final Tally tally = new Tally();
  private final Tally before = new Tally();
  private final List<Input> inputs = new ArrayList<>();
  private final List<RejectSample> samples = new ArrayList<>();
  private final Map<String, Long> uids = new LinkedHashMap<>();
  private final Map<String, Double> phases = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private @Nullable PointsByMetric metrics;
  private String mode = "";
  private String cellTimestamp = "";
  private List<String> rejectFiles = List.of();
  private String workDirectory = "";
  private String snapshotFrom = "";
  private ExitCode exitCode = ExitCode.DEFECT;
  private String message = "the load has not ended";
  private String stackTrace = "";
  private Instant ended;

  /**
   * An input file.
   *
   * @param bytes as stored, compressed or not; negative if it is not known (standard input)
   */
  public record Input(String file, long bytes) {}

  /** A part of a load. */
  @FunctionalInterface
  public interface Step {
    /** Runs it. */
    void run() throws IOException;
  }

  /**
   * An empty report.
   *
   * @param command load, resume, generate, verify or spark-load
   * @param started start of this process
   */
  public BulkLoaderReport(String command, Instant started) {
    this.command = command;
    this.started = started;
    this.ended = started;
  }

  /** Where the points go, put or hfile, and with which cell timestamp. */
  public BulkLoaderReport writing(String how, String stamp) {
    mode = how;
    cellTimestamp = stamp;
    return this;
  }

  /** Adds input files. */
  public BulkLoaderReport inputs(List<Input> files) {
    inputs.addAll(files);
    return this;
  }

  /** The work directory. */
  public BulkLoaderReport workDirectory(String directory) {
    workDirectory = directory;
    return this;
  }

  /** Counts journalled by earlier processes; they are in {@link #tally} too. */
  public BulkLoaderReport before(Tally earlier) {
    before.add(earlier);
    return this;
  }

  /** Adds to the books of the whole load. */
  public BulkLoaderReport tally(Tally more) {
    tally.add(more);
    return this;
  }

  /**
   * Subtracts counters of ranges that are written again.
   *
   * @param ofBefore the part of it that earlier processes have journalled
   */
  public void undone(Tally less, Tally ofBefore) {
    tally.subtract(less);
    before.subtract(ofBefore);
  }

  /** Accepted points of all input by metric. */
  public BulkLoaderReport metrics(PointsByMetric all) {
    metrics = all;
    return this;
  }

  /** The rejects; the files are named only if there are any. */
  public BulkLoaderReport rejects(RejectFile file) {
    file.flush();
    return rejects(file.samples(), file.paths());
  }

  /**
   * The first rejects.
   *
   * @param places names of the files with all rejects; empty if there are none
   */
  public BulkLoaderReport rejects(List<RejectSample> first, List<String> places) {
    samples.addAll(first);
    rejectFiles = List.copyOf(places);
    return this;
  }

  /** Adds UIDs assigned, by kind: metrics, tagk, tagv. */
  public BulkLoaderReport uids(String kind, long assigned) {
    uids.merge(kind, assigned, Long::sum);
    return this;
  }

  /** Adds wall clock of a phase of this process. */
  public BulkLoaderReport phase(String name, Duration wall) {
    phases.merge(name, wall.toMillis() / 1000.0, Double::sum);
    return this;
  }

  /** Runs a phase, or a part of one, and adds its time, also when it fails. */
  public void timed(String name, InstantSource clock, Step step) throws IOException {
    Instant start = clock.instant();
    try {
      step.run();
    } finally {
      phase(name, Duration.between(start, clock.instant()));
    }
  }

  /** Adds a finding that does not change the exit code. */
  public BulkLoaderReport warn(String warning) {
    warnings.add(warning);
    return this;
  }

  /**
   * Adds a warning when the input has no points, or none that is not skipped.
   *
   * @param read counts of all of the input
   */
  public void warnIfEmpty(Tally read) {
    long points = read.get(Count.POINTS_READ);
    if (points == 0) {
      warn("no point was read: the input has none");
    } else if (points == read.skipped()) {
      warn("no point was loaded: --skip has left out all that were read, " + points);
    }
  }

  /** From when on the masks of the load hide no snapshot. */
  public BulkLoaderReport snapshotFrom(Instant time) {
    snapshotFrom = time.toString();
    return this;
  }

  /**
   * Ends a load. Without a failure it succeeds only if its books close.
   *
   * @param failure ended the load; null after a success
   */
  public BulkLoaderReport closed(@Nullable JobException failure, Instant at) {
    if (failure == null && tally.missing() == 0) {
      return end(ExitCode.DONE, "", "", at);
    }
    JobException why =
        failure != null
            ? failure
            : Defects.defect(
                "the books do not close: %s of the points read are in no other count"
                    .formatted(tally.missing()),
                null);
    StringWriter trace = new StringWriter();
    if (why.exitCode() == ExitCode.DEFECT && why.getCause() != null) {
      why.getCause().printStackTrace(new PrintWriter(trace, true));
    }
    return end(why.exitCode(), String.valueOf(why.getMessage()), trace.toString(), at);
  }

  /**
   * Ends a load.
   *
   * @param why empty when the exit code is {@link ExitCode#DONE}
   * @param trace stack trace of a defect; empty when there is none
   */
  public BulkLoaderReport end(ExitCode code, String why, String trace, Instant at) {
    exitCode = code;
    message = why;
    stackTrace = trace;
    ended = at;
    return this;
  }

  /** Exit status of the process. */
  public ExitCode exitCode() {
    return exitCode;
  }

  /** Why the exit code is not {@link ExitCode#DONE}; else empty. */
  public String message() {
    return message;
  }

  /** Stack trace of a defect; empty when there is none. */
  public String stackTrace() {
    return stackTrace;
  }

  /**
   * Whether points read are written, duplicates, stored already, skipped or rejected, to the last.
   */
  public boolean booksClose() {
    return tally.missing() == 0;
  }

  private double seconds() {
    return Duration.between(started, ended).toMillis() / 1000.0;
  }

  /** A count that this process has added to, by the second of its wall clock; 0 at once. */
  long perSecond(Count count) {
    long added = tally.get(count) - before.get(count);
    return seconds() <= 0 ? 0 : Math.round(added / seconds());
  }

  /**
   * The report, once the load has ended.
   *
   * @param version of the program
   * @param options of the command line, without the input
   */
  public Report report(String version, List<String> options) {
    Report report = new Report("bulk-loader", VERSION, new TextTable(16, 36, 22));
    ObjectNode json = report.json();
    json.put("version", version).put("command", command);
    options.forEach(json.putArray("options")::add);
    report.outcome(exitCode, message);
    json.put("stackTrace", stackTrace);
    report.times(started, ended);
    json.put("mode", mode)
        .put("cellTimestamp", cellTimestamp)
        .put("snapshotFrom", snapshotFrom)
        .put("workDirectory", workDirectory);
    text(report, "command", command);
    text(report, "mode", mode);
    text(report, "cell timestamp", cellTimestamp);
    inputs(report);
    counts(report);
    report
        .section("perSecond", "this run")
        .count("pointsRead", "points read per second", perSecond(Count.POINTS_READ))
        .count("pointsWritten", "points written per second", perSecond(Count.POINTS_WRITTEN))
        .count("rowsWritten", "rows written per second", perSecond(Count.ROWS_WRITTEN));
    report.phases(phases);
    text(report, "wall clock", String.format(Locale.ROOT, "%.1f s", seconds()));
    rejects(report);
    text(report, "work directory", workDirectory);
    report.list("warnings", "warning", warnings);
    report.end(booksClose() ? "close" : isOpen() ? "open: the load stopped early" : "DO NOT CLOSE");
    if (!snapshotFrom.isEmpty()) {
      report
          .table()
          .text(
              "snapshot",
              ("for rollup-job: take it at %s or later, by this machine's clock; queries do not"
                      + " use rollups of an earlier one")
                  .formatted(snapshotFrom));
    }
    return report;
  }

  /** Adds a line to the table unless it is empty. */
  private static void text(Report report, String name, String value) {
    if (!value.isEmpty()) {
      report.table().text(name, value);
    }
  }

  private void inputs(Report report) {
    long bytes = inputs.stream().mapToLong(input -> Math.max(0, input.bytes())).sum();
    ObjectNode json = report.json().putObject("input");
    json.put("files", inputs.size()).put("bytes", bytes);
    ArrayNode names = json.putArray("names");
    inputs.forEach(input -> names.add(input.file()));
    if (inputs.isEmpty()) {
      return;
    }
    report.table().count("input", "files", inputs.size()).count("", "bytes of files", bytes);
    inputs.stream().limit(SHOWN_INPUTS).forEach(input -> text(report, "", input.file()));
    if (inputs.size() > SHOWN_INPUTS) {
      text(report, "", "and " + (inputs.size() - SHOWN_INPUTS) + " more");
    }
  }

  private void counts(Report report) {
    ObjectNode json = report.json();
    json.put("booksClose", booksClose());
    counts(json.putObject("counts"), tally);
    json.put("resumed", before.get(Count.POINTS_READ) > 0);
    counts(json.putObject("beforeResume"), before);
    if (metrics != null) {
      points(json.putObject("points"), tally, metrics);
    }
    lines(report.table(), "input", Count.INPUT);
    books(report.table());
    lines(report.table(), "table", Count.OUTPUT);
    uids.forEach(json.putObject("uidsAssigned")::put);
    uids.forEach((kind, assigned) -> report.table().count("UIDs assigned", kind, assigned));
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
    times.points().forEach(byTime.putObject("points")::put);
  }

  private void books(TextTable table) {
    table.count("books", TextTable.words(Count.POINTS_READ.key()), tally.get(Count.POINTS_READ));
    for (Count count : Count.BOOKS) {
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
    table.count("", isOpen() ? "= not settled" : "= missing", tally.missing());
  }

  private void lines(TextTable table, String group, List<Count> counts) {
    String name = group;
    for (Count count : counts) {
      if (tally.get(count) != 0) {
        table.count(name, TextTable.words(count.key()), tally.get(count));
        name = "";
      }
    }
  }

  private void rejects(Report report) {
    samples.forEach(sample -> text(report, "rejected", sample.toString()));
    report.list("rejectFiles", "reject file", rejectFiles);
    ArrayNode array = report.json().putArray("rejectedSamples");
    for (RejectSample sample : samples) {
      array
          .addObject()
          .put("reason", sample.reason().key())
          .put("file", sample.file())
          .put("line", sample.line())
          .put("detail", sample.detail())
          .put("text", sample.text());
    }
  }

  /** Whether the load ended before all points that were read were accounted for. */
  private boolean isOpen() {
    return switch (exitCode) {
      case BAD_INPUT, USAGE, OUTSIDE -> !booksClose();
      // An exception ends a load early; without one it came to its end.
      case DEFECT -> !booksClose() && !stackTrace.isEmpty();
      case DONE -> false;
    };
  }
}
