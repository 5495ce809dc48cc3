package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.error.StorageFailures;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.hfile.TargetTable;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/**
 * Loads the HFiles of a run with HBase's own tool, which splits those of regions that were split
 * meanwhile. Can be repeated after any end, but not beside another load of the same run.
 */
public final class LoadJob {
  private static final byte[] FAMILY = TargetTable.FAMILY.getBytes(StandardCharsets.ISO_8859_1);

  private final Configuration hbase;
  private final String dir;
  private final StorageSchema schema;
  private final RollupConfig rollups;

  /**
   * @param hbase how to reach HBase and the directory
   * @param dir of one run
   * @param schema of the TSD
   * @param rollups of the TSD
   */
  public LoadJob(Configuration hbase, String dir, StorageSchema schema, RollupConfig rollups) {
    this.hbase = hbase;
    this.dir = dir;
    this.schema = schema;
    this.rollups = rollups;
  }

  /**
   * Checks, loads, checks again.
   *
   * @throws RollupException usage, when the run does not fit the TSD's configuration or the tables;
   *     bad input, when a file is missing, damaged or foreign; outside, when HBase or storage
   *     fails, or not all cells are found afterwards
   */
  public LoadReport run() {
    RunFiles run = RunFiles.open(hbase, dir);
    try {
      require(ManifestCheck.problems(run.manifest(), schema, rollups));
      if (run.isLoaded()) {
        return new LoadReport(run.dir().toString(), run.manifest(), List.of());
      }
      List<String> damage = run.problems();
      if (!damage.isEmpty()) {
        throw RollupException.badInput(String.join(System.lineSeparator(), damage), null);
      }
      try (Connection connection = ConnectionFactory.createConnection(hbase)) {
        return load(run, connection);
      }
    } catch (IOException e) {
      throw RollupException.outside(
          "loading " + dir + " did not succeed, run it again: " + StorageFailures.describe(e), e);
    }
  }

  private static void require(List<String> problems) {
    if (!problems.isEmpty()) {
      throw RollupException.usage(problems);
    }
  }

  private LoadReport load(RunFiles run, Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      require(tableProblems(run.manifest(), admin));
      List<LoadReport.LoadedTable> tables = new ArrayList<>();
      run.mark(RunDir.LOADING, new byte[0]);
      for (Manifest.Table table : run.manifest().tables()) {
        TableName name = TableName.valueOf(table.name());
        StoreFiles before = StoreFiles.of(admin, name);
        int files = handOver(run, table);
        long cells = count(connection, table, run.manifest().stamp());
        tables.add(
            new LoadReport.LoadedTable(
                table.name(), files, cells, before, StoreFiles.of(admin, name)));
      }
      LoadReport report = new LoadReport(run.dir().toString(), run.manifest(), tables);
      run.mark(RunDir.LOADED, report.text().getBytes(StandardCharsets.UTF_8));
      return report;
    }
  }

  private static List<String> tableProblems(Manifest manifest, Admin admin) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Manifest.Table table : manifest.tables()) {
      TableName name = TableName.valueOf(table.name());
      if (!admin.tableExists(name)) {
        problems.add("table " + name + " must exist, HBase does not have it");
      } else if (!admin.isTableEnabled(name)) {
        problems.add("table " + name + " must be enabled, found disabled");
      } else if (!admin.getDescriptor(name).hasColumnFamily(FAMILY)) {
        problems.add("table " + name + " must have the column family " + TargetTable.FAMILY);
      }
    }
    return problems;
  }

  /** Gives HBase what is still there; what it has taken before is not. */
  private int handOver(RunFiles run, Manifest.Table table) throws IOException {
    List<String> names = run.waiting(table);
    if (names.isEmpty()) {
      return 0;
    }
    try (HFileDir files =
        new HFileDir(
            hbase,
            run.table(table).toString(),
            TargetTable.FAMILY,
            RunDir.prefix(run.manifest().run()))) {
      int loaded =
          new HFileLoader(hbase, TableName.valueOf(table.name()), FAMILY)
              .load(files, names)
              .files();
      files.remove();
      return loaded;
    }
  }

  /** All cells of all files must be there. */
  private static long count(Connection connection, Manifest.Table of, long stamp)
      throws IOException {
    long found = 0;
    List<String> missing = new ArrayList<>();
    try (Table table = connection.getTable(TableName.valueOf(of.name()))) {
      for (WrittenFile file : of.files()) {
        long cells = CellCount.of(table, file, stamp);
        found += cells;
        if (cells != file.cells()) {
          missing.add(file.name() + ": " + cells + " of " + file.cells());
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          "table "
              + of.name()
              + " must have all cells of the run, "
              + of.cells()
              + ", found "
              + found
              + " ("
              + String.join("; ", missing)
              + ")");
    }
    return found;
  }
}
