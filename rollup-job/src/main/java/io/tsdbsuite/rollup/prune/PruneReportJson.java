package io.tsdbsuite.rollup.prune;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** The report of a prune as JSON; docs/prune.md describes the fields. */
public final class PruneReportJson {
  private static final String NAME = "rollup-job prune";
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private PruneReportJson() {}

  /** Writes one JSON object with a line break at its end; the stream stays open. */
  public static void write(PruneReport report, OutputStream out) throws IOException {
    out.write(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree(report)));
    out.write('\n');
  }

  private static ObjectNode tree(PruneReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", NAME);
    root.put("v", VERSION);
    root.put("state", "ended");
    root.put("exitCode", report.exitCode().code());
    root.put("outcome", report.exitCode().name().toLowerCase(Locale.ROOT));
    root.put("message", report.message());
    root.put("started", report.started().toString());
    root.put("ended", report.ended().toString());
    root.put("seconds", report.seconds());
    PruneOptions options = report.options();
    root.put("snapshotRoot", options.root());
    ArrayNode tables = root.putArray("tables");
    options.tables().stream().map(TableName::getNameAsString).forEach(tables::add);
    root.put("snapshotPattern", options.names().toString());
    ObjectNode keep = root.putObject("keep");
    keep.put("days", options.rule().days());
    keep.put("weeks", options.rule().weeks());
    keep.put("months", options.rule().months());
    root.put("graceSeconds", options.grace().toSeconds());
    root.put("delete", options.delete());
    root.put("booksClose", report.booksClose());
    PruneBooks books = report.books();
    if (books != null) {
      ObjectNode files = root.putObject("hfiles");
      amount(files, "found", books.found());
      amount(files, "kept", books.kept());
      amount(files, options.delete() ? "deleted" : "toDelete", books.deleted());
      amount(files, "young", books.young());
      amount(files, "failed", books.failed());
    }
    ArrayNode nights = root.putArray("nights");
    report.nights().forEach(night -> night(nights.addObject(), night));
    ObjectNode unknown = root.putObject("unknown");
    unknown.put("count", report.unknown());
    ArrayNode samples = unknown.putArray("samples");
    report.unknownSamples().forEach(samples::add);
    ArrayNode warnings = root.putArray("warnings");
    report.warnings().forEach(warnings::add);
    return root;
  }

  private static void night(ObjectNode node, PruneReport.NightResult night) {
    node.put("date", night.date().toString());
    node.put("state", night.state());
    node.put("reason", night.reason());
    node.put("notWhole", night.notWhole());
    ArrayNode snapshots = node.putArray("snapshots");
    night.snapshots().forEach(snapshots::add);
  }

  private static void amount(ObjectNode parent, String name, PruneBooks.Amount amount) {
    ObjectNode node = parent.putObject(name);
    node.put("files", amount.files());
    node.put("bytes", amount.bytes());
  }
}
