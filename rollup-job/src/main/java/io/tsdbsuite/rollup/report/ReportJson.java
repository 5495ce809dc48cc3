package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The report as JSON; docs/rollup-job.md describes the fields. */
public final class ReportJson {
  /** The value of {@code report}. */
  public static final String NAME = "rollup-job";

  /** The value of {@code v}. */
  public static final int VERSION = 3;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private ReportJson() {}

  /** Returns one JSON object with a trailing line break. */
  public static String write(RollupReport report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      write(report, out);
    } catch (IOException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Writes the same to a stream, which stays open. The finished partitions come last, one line
   * each.
   */
  public static void write(RollupReport report, OutputStream out) throws IOException {
    try (JsonGenerator json = MAPPER.getFactory().createGenerator(out, JsonEncoding.UTF8)) {
      DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
      printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
      json.setPrettyPrinter(printer);
      json.writeStartObject();
      for (Map.Entry<String, JsonNode> field : tree(report).properties()) {
        json.writeFieldName(field.getKey());
        MAPPER.writeTree(json, field.getValue());
      }
      resume(json, report);
      json.writeEndObject();
    }
    out.write('\n');
  }

  private static ObjectNode tree(RollupReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", NAME);
    root.put("v", VERSION);
    root.put("state", report.isRunning() ? "running" : "ended");
    ExitCode exit = report.exitCode();
    root.put("exitCode", exit == null ? null : (Integer) exit.code());
    root.put("outcome", exit == null ? "running" : exit.name().toLowerCase(Locale.ROOT));
    root.put("message", report.message());
    root.put("started", report.started().toString());
    root.put(report.isRunning() ? "updated" : "ended", report.ended().toString());
    ObjectNode input = root.putObject("input");
    report.input().forEach(input::put);
    if (!report.output().isEmpty()) {
      ObjectNode output = root.putObject("output");
      report.output().forEach(output::put);
    }
    ObjectNode window = root.putObject("window");
    window.put("interval", report.intervals());
    window.put("from", report.from().toString());
    window.put("to", report.to().toString());
    window.put("holdBackSeconds", report.holdBack().seconds());
    if (report.holdBack().isOn()) {
      window.put("newestEnd", report.holdBack().newestEnd().toString());
    }
    if (report.plan() != null) {
      plan(root.putObject("plan"), report.plan());
    }
    if (report.finished() != null) {
      root.put("partitionsFinished", report.finished().size());
    }
    if (report.earlier() != null) {
      earlier(root.putObject("resumed"), report.earlier());
    }
    // The books of a run in progress are not closed yet.
    root.put("booksClose", !report.isRunning() && report.books().close());
    books(root, report.books(), report.rollupsPerMessage());
    ObjectNode phases = root.putObject("secondsByPhase");
    report.phases().forEach(phases::put);
    report.warnings().forEach(root.putArray("warnings")::add);
    if (report.proof() != null) {
      RunProofJson.write(root.putObject("proof"), report.proof());
    }
    report.dataFiles().forEach(root.putArray("dataFiles")::add);
    return root;
  }

  private static void earlier(ObjectNode node, EarlierRuns earlier) {
    node.put("report", earlier.report());
    node.put("earlierRuns", earlier.runs());
    node.put("firstStarted", earlier.started().toString());
    node.put("partitions", earlier.partitions());
    node.set("books", BooksJson.counts(earlier.books()));
  }

  private static void resume(JsonGenerator json, RollupReport report) throws IOException {
    RunIdentity identity = report.identity();
    json.writeObjectFieldStart("resume");
    json.writeStringField("version", identity.version());
    texts(json, "options", identity.options());
    texts(json, "snapshots", identity.snapshots());
    texts(json, "target", identity.target());
    json.writeStringField("plan", identity.plan());
    Optional<FinishedPartitions> kept = report.kept();
    if (kept.isPresent()) {
      json.writeFieldName("failedSamples");
      MAPPER.writeTree(json, BooksJson.samples(kept.get().books()));
      json.writeArrayFieldStart("finished");
      Iterator<String> lines = kept.get().json().iterator();
      while (lines.hasNext()) {
        json.writeRawValue(lines.next());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void texts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
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

  private static void books(ObjectNode root, Books books, int rollupsPerMessage) {
    ObjectNode rows = root.putObject("rows");
    rows.put("read", books.count(Count.ROWS_READ));
    rows.put("emitted", books.count(Count.ROWS_EMITTED));
    ObjectNode skipped = rows.putObject("skipped");
    for (SkipReason reason : SkipReason.values()) {
      skipped.put(reason.key(), books.skipped(reason));
    }
    ObjectNode failed = rows.putObject("failed");
    rows.put("takenBack", books.count(Count.ROWS_TAKEN_BACK));
    rows.put("vanished", books.count(Count.ROWS_VANISHED));
    if (books.count(Count.ROWS_VANISHED) > 0) {
      books.vanished().forEach(root.putArray("vanishedRows")::add);
    }
    ObjectNode days = root.putObject("days");
    days.put("read", books.count(Count.DAYS_READ));
    days.put("emitted", books.count(Count.DAYS_EMITTED));
    ObjectNode failedDays = days.putObject("failed");
    for (FailReason reason : FailReason.values()) {
      (reason.isOfDay() ? failedDays : failed).put(reason.key(), books.failed(reason));
    }
    ObjectNode points = root.putObject("points");
    points.put("read", books.count(Count.POINTS_READ));
    points.put("aggregated", books.count(Count.POINTS_AGGREGATED));
    points.put("duplicates", books.count(Count.POINTS_DUPLICATE));
    points.put("notANumber", books.count(Count.POINTS_NOT_A_NUMBER));
    points.put("inFailedRows", books.count(Count.POINTS_IN_FAILED_ROWS));
    points.put("ambiguousDuplicates", books.count(Count.AMBIGUOUS_DUPLICATES));
    ObjectNode setAside = root.putObject("setAside");
    setAside.put("annotations", books.count(Count.ANNOTATIONS));
    setAside.put("histograms", books.count(Count.HISTOGRAMS));
    setAside.put("emptyValues", books.count(Count.EMPTY_VALUES));
    setAside.put("unknownColumns", books.count(Count.UNKNOWN_COLUMNS));
    root.put("rollups", books.intervalsEmitted());
    root.set("rollupsByInterval", BooksJson.rollups(books));
    root.put("rollupsTakenBack", books.count(Count.ROLLUPS_TAKEN_BACK));
    ObjectNode messages = root.putObject("messages");
    messages.put("sent", books.count(Count.MESSAGES_SENT));
    messages.put("acknowledged", books.count(Count.MESSAGES_ACKNOWLEDGED));
    if (rollupsPerMessage > 1) {
      messages.put("rollupsPerMessage", rollupsPerMessage);
    }
    ObjectNode storage = root.putObject("storage");
    storage.put("bytesRead", books.count(Count.BYTES_READ));
    storage.put("readCalls", books.count(Count.READ_CALLS));
    root.set("failedSamples", BooksJson.samples(books));
  }
}
