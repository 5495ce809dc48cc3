package io.tsdbsuite.rollup.load;

import io.tsdbsuite.rollup.hfile.Manifest;
import java.util.List;
import java.util.Locale;

/**
 * What a load did.
 *
 * @param dir of the run
 * @param manifest of the run
 * @param tables what was loaded; empty when an earlier load had done it all
 */
public record LoadReport(String dir, Manifest manifest, List<LoadedTable> tables) {

  /**
   * A table.
   *
   * @param table its name
   * @param filesLoaded handed to HBase by this load
   * @param cells that are in the table now, all of the run
   * @param before store files before the load
   * @param after store files after it
   */
  public record LoadedTable(
      String table, int filesLoaded, long cells, StoreFiles before, StoreFiles after) {}

  /** The table for a person. */
  public String text() {
    StringBuilder out = new StringBuilder();
    line(out, "run", manifest.run());
    line(out, "files", manifest.files() + " with " + manifest.bytes() + " bytes");
    line(out, "cells written", Long.toString(manifest.cells()));
    for (LoadedTable table : tables) {
      line(out, "table", table.table());
      line(out, "  files loaded", Integer.toString(table.filesLoaded()));
      line(out, "  cells found", Long.toString(table.cells()));
      line(out, "  store files", table.before() + "; now " + table.after());
    }
    line(out, "outcome", tables.isEmpty() ? "loaded before, nothing is left" : "loaded");
    return out.toString();
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append(String.format(Locale.ROOT, "%-18s %s%n", name, value));
  }
}
