package io.tsdbsuite.rollup.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.hfile.TargetTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Writes into the coverage table what a loaded run proves. Without a coverage TSDs read raw data,
 * so a load that cannot write it is no failure unless the user has named the table.
 */
final class LoadedCoverage {
  private static final byte[] FAMILY = TargetTable.FAMILY.getBytes(UTF_8);

  private final Connection connection;
  private final Admin admin;
  private final CoverageChoice choice;
  private final List<CoverageWindow> windows;

  /** Why nothing is written; empty if {@link #windows} are. */
  private final String reason;

  /**
   * @throws IOException when HBase fails
   */
  LoadedCoverage(
      Connection connection, Admin admin, CoverageChoice choice, Manifest manifest, RunFiles run)
      throws IOException {
    this.connection = connection;
    this.admin = admin;
    this.choice = choice;
    List<CoverageWindow> proven = List.of();
    String obstacle = obstacle(manifest);
    if (obstacle.isEmpty()) {
      String evidence = "rollup-job load, report " + new Path(run.dir(), RunDir.LOADED);
      try {
        proven = new ProvenWindows(manifest, evidence, this::ttl).windows();
        obstacle = proven.isEmpty() ? "the run proves no window and found no late rows" : "";
      } catch (IllegalArgumentException e) {
        obstacle = String.valueOf(e.getMessage());
      } catch (UncheckedIOException e) {
        throw Objects.requireNonNull(e.getCause());
      }
    }
    this.windows = proven;
    this.reason = obstacle;
  }

  private String obstacle(Manifest manifest) throws IOException {
    if (!choice.isWanted()) {
      return "not wanted (--no-coverage)";
    }
    String missing = missing();
    return missing.isEmpty() ? ProvenWindows.obstacle(manifest) : missing;
  }

  /** What the coverage table lacks; empty if it can be used. */
  private String missing() throws IOException {
    TableName name = TableName.valueOf(choice.table());
    if (!admin.tableExists(name)) {
      return "table "
          + name
          + " does not exist, so TSDs with rollup-query read raw data; docs/coverage.md has the"
          + " command that creates it";
    }
    if (!admin.isTableEnabled(name)) {
      return "table " + name + " must be enabled, found disabled";
    }
    return admin.getDescriptor(name).hasColumnFamily(CoverageRows.FAMILY.getBytes(UTF_8))
        ? ""
        : "table " + name + " must have the column family " + CoverageRows.FAMILY;
  }

  /** How long a rollup table keeps cells. */
  private long ttl(String table) {
    try {
      if (!admin.tableExists(TableName.valueOf(table))) {
        // Nothing will be written for it.
        return ProvenWindows.FOREVER;
      }
      TableLayout layout =
          TableLayout.of(admin.getDescriptor(TableName.valueOf(table)), FAMILY, List.of());
      return layout.ttlSeconds() == HConstants.FOREVER || layout.minVersions() > 0
          ? ProvenWindows.FOREVER
          : layout.ttlSeconds();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reasons against a load, one sentence each: the user has named a table that cannot be used. */
  List<String> problems() throws IOException {
    String missing = choice.required() ? missing() : "";
    return missing.isEmpty() ? List.of() : List.of("--coverage-table: " + missing);
  }

  /** What a load would write. */
  CoverageOutcome planned() {
    return new CoverageOutcome(choice.table(), windows, reason);
  }

  /** What an earlier load of the run has written. */
  CoverageOutcome known() throws IOException {
    return isOpen()
        ? CoverageOutcome.none(choice.table(), "an earlier load has written none")
        : planned();
  }

  /** Whether the run proves windows that are not in the coverage table, or void there. */
  boolean isOpen() throws IOException {
    if (windows.isEmpty()) {
      return false;
    }
    try (CoverageTable table = new CoverageTable(connection, choice.table())) {
      for (CoverageWindow window : windows) {
        if (!table.counts(window)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Writes the windows; all cells of the run were found.
   *
   * @param hiddenRows rows of the run that were deleted after their time
   */
  CoverageOutcome write(long hiddenRows) throws IOException {
    if (windows.isEmpty()) {
      return planned();
    }
    if (hiddenRows > 0) {
      return CoverageOutcome.none(
          choice.table(),
          hiddenRows
              + " rows of the run were deleted after its snapshot was taken, so that no query reads"
              + " them; roll up the window again with --as-of now");
    }
    try (CoverageTable table = new CoverageTable(connection, choice.table())) {
      table.add(windows);
      return planned();
    } catch (CoverageRefusedException e) {
      return CoverageOutcome.none(choice.table(), String.valueOf(e.getMessage()));
    }
  }
}
