package io.tsdbsuite.rollup.load;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.hfile.Manifest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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

  /** The report as a text table. */
  public String text() {
    StringBuilder out = new StringBuilder();
    line(out, "directory", dir);
    if (manifest != null) {
      line(out, "run", manifest.run());
      line(
          out,
          "HBase cluster",
          manifest.cluster() == null
              ? "not known to the run (--target-snapshot), not compared"
              : manifest.cluster());
      line(out, "files", manifest.files() + " with " + manifest.bytes() + " bytes");
      line(out, "cells written", Long.toString(manifest.cells()));
    }
    for (LoadedTable table : tables) {
      line(out, "table", table.of().name() + ", " + table.of().interval());
      line(out, "  files loaded", table.filesLoaded() + before(table));
      line(out, "  cells found", table.cells() + " of " + table.of().cells());
      line(out, "  store files", table.before() + "; now " + table.after());
    }
    coverageLines().forEach(line -> line(out, "coverage", line));
    line(out, "books", booksClose() ? "close" : "do not close");
    line(out, "outcome", loadedBefore ? "loaded before, nothing is left" : outcome());
    return out.toString();
  }

  private static String before(LoadedTable table) {
    return table.filesLoadedBefore() == 0
        ? ""
        : "; " + table.filesLoadedBefore() + " by an earlier load";
  }

  private String outcome() {
    return exitCode.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append(String.format(Locale.ROOT, "%-18s %s%n", name, value));
  }
}
