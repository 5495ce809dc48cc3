package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.hfile.Manifest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The report of a load, also of a failed one.
 *
 * @param exitCode exit code of the process
 * @param message reason for an exit code other than {@link ExitCode#DONE}, or why a loaded run is
 *     not covered; otherwise empty
 * @param started start of the load
 * @param ended end of the load
 * @param dir of the run
 * @param manifest of the run; null if it could not be read
 * @param loadedBefore whether an earlier load was complete, so that this one was a no-op
 * @param tables tables whose cells were counted, in the order of the manifest
 * @param coverage what was written into the coverage table
 */
public record LoadReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    String dir,
    @Nullable Manifest manifest,
    boolean loadedBefore,
    List<LoadedTable> tables,
    CoverageOutcome coverage) {
  private static final String NAME = "rollup-job load";
  private static final int VERSION = 1;
  private static final String NO_CLUSTER = "not known to the run (--target-snapshot), not compared";

  /**
   * A table.
   *
   * @param of the table's entry in the manifest
   * @param filesLoaded files handed to HBase by this load; earlier loads took the others
   * @param cells cells of the run in the table after the load
   * @param before store files before the load
   * @param after store files after it
   */
  public record LoadedTable(
      Manifest.Table of, int filesLoaded, long cells, StoreFiles before, StoreFiles after) {
    /** Files handed over by earlier loads. */
    int filesLoadedBefore() {
      return of.files().size() - filesLoaded;
    }

    private void write(ObjectNode json, TextTable table) {
      json.put("table", of.name()).put("interval", of.interval());
      if (!of.level().equals(of.interval())) {
        json.put("level", of.level());
      }
      json.putObject("files")
          .put("written", of.files().size())
          .put("loaded", filesLoaded)
          .put("loadedBefore", filesLoadedBefore());
      json.putObject("cells").put("written", of.cells()).put("found", cells);
      before.write(json.putObject("storeFilesBefore"));
      after.write(json.putObject("storeFilesAfter"));
      String others =
          filesLoadedBefore() == 0 ? "" : "; " + filesLoadedBefore() + " by an earlier load";
      table
          .text("table", of.name() + ", " + of.level())
          .text("  files loaded", filesLoaded + others)
          .text("  cells found", cells + " of " + of.cells())
          .text("  store files", before + "; now " + after);
    }
  }

  /** Whether every cell of the HFiles was found in its table. */
  public boolean booksClose() {
    return loadedBefore
        || (manifest != null
            && tables.size() == manifest.tables().size()
            && tables.stream().allMatch(table -> table.cells() == table.of().cells()));
  }

  /** What was written into the coverage table, or why nothing was. */
  public List<String> coverageLines() {
    return coverage.lines();
  }

  /** The report as JSON and as a table of text; docs/rollup-job.md describes the fields. */
  public Report report() {
    Report report = new Report(NAME, VERSION).outcome(exitCode, message).times(started, ended);
    ObjectNode json = report.json();
    TextTable table = report.table();
    json.put("hfileDir", dir);
    table.text("directory", dir);
    if (manifest != null) {
      json.put("run", manifest.run())
          .put("version", manifest.version())
          .put("hbaseCluster", manifest.cluster())
          .put("cellTimestamp", manifest.stamp())
          .put("files", manifest.files())
          .put("bytes", manifest.bytes())
          .put("cells", manifest.cells());
      if (manifest.hasPacked()) {
        json.put("packedParts", manifest.packedParts());
      }
      table
          .text("run", manifest.run())
          .text("HBase cluster", Objects.requireNonNullElse(manifest.cluster(), NO_CLUSTER))
          .text("files", manifest.files() + " with " + manifest.bytes() + " bytes")
          .text("cells written", Long.toString(manifest.cells()));
      if (manifest.hasPacked()) {
        table.text("packed parts", Long.toString(manifest.packedParts()));
      }
    }
    json.put("loadedBefore", loadedBefore);
    json.put("booksClose", booksClose());
    ArrayNode array = json.putArray("tables");
    tables.forEach(each -> each.write(array.addObject(), table));
    coverage.write(json.putObject("coverage"));
    coverageLines().forEach(line -> table.text("coverage", line));
    coverage.notes().forEach(note -> table.text("coverage", note));
    table.text("books", booksClose() ? "close" : "do not close");
    table.text("outcome", loadedBefore ? "loaded before, nothing is left" : outcome());
    return report;
  }

  private String outcome() {
    return exitCode.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
