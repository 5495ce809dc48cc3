package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.rollup.hfile.Manifest;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Locale;

/** The report of a load as JSON; docs/rollup-job.md describes the fields. */
public final class LoadReportJson {
  private static final String NAME = "rollup-job load";
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LoadReportJson() {}

  /** Writes one JSON object with a line break at its end; the stream stays open. */
  public static void write(LoadReport report, OutputStream out) throws IOException {
    out.write(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree(report)));
    out.write('\n');
  }

  private static ObjectNode tree(LoadReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", NAME);
    root.put("v", VERSION);
    root.put("state", "ended");
    root.put("exitCode", report.exitCode().code());
    root.put("outcome", report.exitCode().name().toLowerCase(Locale.ROOT));
    root.put("message", report.message());
    root.put("started", report.started().toString());
    root.put("ended", report.ended().toString());
    root.put("hfileDir", report.dir());
    Manifest manifest = report.manifest();
    if (manifest != null) {
      root.put("run", manifest.run());
      root.put("version", manifest.version());
      root.put("hbaseCluster", manifest.cluster());
      root.put("cellTimestamp", manifest.stamp());
      root.put("files", manifest.files());
      root.put("bytes", manifest.bytes());
      root.put("cells", manifest.cells());
    }
    root.put("loadedBefore", report.loadedBefore());
    root.put("booksClose", report.booksClose());
    ArrayNode tables = root.putArray("tables");
    report.tables().forEach(table -> table(tables.addObject(), table));
    coverage(root.putObject("coverage"), report.coverage());
    return root;
  }

  /** Writes what was written into the coverage table into an empty object. */
  public static void coverage(ObjectNode node, CoverageOutcome coverage) {
    node.put("table", coverage.table());
    node.put("reason", coverage.reason());
    if (coverage.incomplete()) {
      node.put("incomplete", true);
    }
    ArrayNode windows = node.putArray("windows");
    for (CoverageWindow window : coverage.windows()) {
      ObjectNode each = windows.addObject();
      each.put("interval", window.interval());
      each.put("from", Instant.ofEpochSecond(window.from()).toString());
      each.put("to", Instant.ofEpochSecond(window.to()).toString());
      each.put("metrics", window.metrics());
      each.put("asOf", Instant.ofEpochMilli(window.asOf()).toString());
      if (window.isRefresh()) {
        each.put("changesSince", Instant.ofEpochMilli(window.since()).toString());
      }
      if (window.expires() != CoverageWindow.NEVER) {
        each.put("expires", Instant.ofEpochMilli(window.expires()).toString());
      }
    }
  }

  private static void table(ObjectNode node, LoadReport.LoadedTable table) {
    node.put("table", table.of().name());
    node.put("interval", table.of().interval());
    ObjectNode files = node.putObject("files");
    files.put("written", table.of().files().size());
    files.put("loaded", table.filesLoaded());
    files.put("loadedBefore", table.filesLoadedBefore());
    ObjectNode cells = node.putObject("cells");
    cells.put("written", table.of().cells());
    cells.put("found", table.cells());
    storeFiles(node.putObject("storeFilesBefore"), table.before());
    storeFiles(node.putObject("storeFilesAfter"), table.after());
  }

  private static void storeFiles(ObjectNode node, StoreFiles files) {
    node.put("files", files.files());
    node.put("regions", files.regions());
    node.put("mostInOneRegion", files.most());
  }
}
