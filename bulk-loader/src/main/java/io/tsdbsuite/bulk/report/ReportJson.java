package io.tsdbsuite.bulk.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * The report as JSON. Every count, reject reason and kind of skipped values is there, also at 0.
 */
public final class ReportJson {
  private static final int VERSION = 1;
  private static final int LARGEST_METRICS = 20;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ReportJson() {}

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
   * One JSON object, with a line break at its end.
   *
   * @param program what made the report
   */
  public static String write(LoadReport report, Program program) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", "bulk-loader");
    root.put("v", VERSION);
    root.put("version", program.version());
    root.put("command", report.command());
    program.options().forEach(root.putArray("options")::add);
    root.put("state", "ended");
    root.put("exitCode", report.exitCode().code());
    root.put("outcome", report.exitCode().name().toLowerCase(Locale.ROOT));
    root.put("message", report.message());
    root.put("stackTrace", report.stackTrace());
    root.put("started", report.started().toString());
    root.put("ended", report.ended().toString());
    root.put("mode", report.mode());
    root.put("cellTimestamp", report.cellTimestamp());
    root.put("workDirectory", report.workDirectory());
    inputs(root.putObject("input"), report);
    root.put("booksClose", report.booksClose());
    counts(root.putObject("counts"), report.tally());
    root.put("resumed", report.before().get(Count.POINTS_READ) > 0);
    counts(root.putObject("beforeResume"), report.before());
    if (report.metrics() != null) {
      points(root.putObject("points"), report.tally(), report.metrics());
    }
    ObjectNode uids = root.putObject("uidsAssigned");
    report.uidsAssigned().forEach(uids::put);
    ObjectNode rates = root.putObject("perSecond");
    rates.put("pointsRead", Math.round(report.perSecond(Count.POINTS_READ)));
    rates.put("pointsWritten", Math.round(report.perSecond(Count.POINTS_WRITTEN)));
    rates.put("rowsWritten", Math.round(report.perSecond(Count.ROWS_WRITTEN)));
    ObjectNode phases = root.putObject("secondsByPhase");
    report.secondsByPhase().forEach(phases::put);
    report.rejectFiles().forEach(root.putArray("rejectFiles")::add);
    samples(root.putArray("rejectedSamples"), report);
    report.warnings().forEach(root.putArray("warnings")::add);
    try {
      return MAPPER.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }

  private static void inputs(ObjectNode node, LoadReport report) {
    node.put("files", report.inputs().size());
    node.put("bytes", report.inputBytes());
    ArrayNode files = node.putArray("names");
    report.inputs().forEach(input -> files.add(input.file()));
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

  private static void samples(ArrayNode array, LoadReport report) {
    for (RejectSample sample : report.samples()) {
      ObjectNode node = array.addObject();
      node.put("reason", sample.reason().key());
      node.put("file", sample.file());
      node.put("line", sample.line());
      node.put("detail", sample.detail());
      node.put("text", sample.text());
    }
  }
}
