package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.util.Locale;

/** The report as JSON; docs/rollup-job.md describes the fields. */
public final class ReportJson {
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ReportJson() {}

  /** One JSON object, with a line break at its end. */
  public static String write(RollupReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", "rollup-job");
    root.put("v", VERSION);
    root.put("exitCode", report.exitCode().code());
    root.put("outcome", report.exitCode().name().toLowerCase(Locale.ROOT));
    root.put("message", report.message());
    root.put("started", report.started().toString());
    root.put("ended", report.ended().toString());
    ObjectNode input = root.putObject("input");
    report.input().forEach(input::put);
    ObjectNode window = root.putObject("window");
    window.put("interval", report.interval());
    window.put("from", report.from().toString());
    window.put("to", report.to().toString());
    window.put("holdBackSeconds", report.holdBack().seconds());
    if (report.holdBack().isOn()) {
      window.put("splitPoint", report.holdBack().splitPoint().toString());
    }
    if (report.plan() != null) {
      plan(root.putObject("plan"), report.plan());
    }
    books(root, report.books());
    ObjectNode phases = root.putObject("secondsByPhase");
    report.phases().forEach(phases::put);
    report.warnings().forEach(root.putArray("warnings")::add);
    try {
      return MAPPER.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }

  private static void plan(ObjectNode node, RollupPlan plan) {
    node.put("regions", plan.regions());
    node.put("regionsInWindow", plan.regionsInWindow());
    node.put("files", plan.files());
    node.put("filesInWindow", plan.filesInWindow());
    node.put("fileBytes", plan.fileBytes());
    node.put("windowBytes", plan.windowBytes());
    node.put("estimatedRows", plan.estimatedRows());
    node.put("partitions", plan.partitions().size());
  }

  private static void books(ObjectNode root, Books books) {
    root.put("booksClose", books.close());
    ObjectNode rows = root.putObject("rows");
    rows.put("read", books.rowsRead());
    rows.put("emitted", books.rowsEmitted());
    ObjectNode skipped = rows.putObject("skipped");
    for (SkipReason reason : SkipReason.values()) {
      skipped.put(reason.key(), books.skipped(reason));
    }
    ObjectNode failed = rows.putObject("failed");
    for (FailReason reason : FailReason.values()) {
      failed.put(reason.key(), books.failed(reason));
    }
    ObjectNode points = root.putObject("points");
    points.put("read", books.pointsRead());
    points.put("aggregated", books.pointsAggregated());
    points.put("duplicates", books.pointsDuplicate());
    points.put("notANumber", books.pointsNotANumber());
    points.put("inFailedRows", books.pointsInFailedRows());
    points.put("ambiguousDuplicates", books.ambiguousDuplicates());
    ObjectNode setAside = root.putObject("setAside");
    setAside.put("annotations", books.annotations());
    setAside.put("histograms", books.histograms());
    setAside.put("emptyValues", books.emptyValues());
    setAside.put("unknownColumns", books.unknownColumns());
    root.put("rollups", books.intervalsEmitted());
    ObjectNode messages = root.putObject("messages");
    messages.put("sent", books.messagesSent());
    messages.put("acknowledged", books.messagesAcknowledged());
    ObjectNode storage = root.putObject("storage");
    storage.put("bytesRead", books.bytesRead());
    storage.put("readCalls", books.readCalls());
    ObjectNode samples = root.putObject("failedSamples");
    books.samples().forEach((reason, list) -> list.forEach(samples.withArray(reason.key())::add));
  }
}
