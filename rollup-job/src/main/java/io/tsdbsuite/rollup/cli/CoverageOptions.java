package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the coverage table and its HBase. */
final class CoverageOptions {
  @Mixin TsdOptions tsd = new TsdOptions();

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      defaultValue = CoverageRows.DEFAULT_TABLE,
      description = "The coverage table." + RollupCommand.DEFAULT)
  String table = CoverageRows.DEFAULT_TABLE;

  /** Reads the options. */
  CoverageHBase read(Invocation invocation) {
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, invocation.problems());
    return of(table, files, hbase, invocation.problems());
  }

  /** Checks the name of the table and the address of HBase. */
  static CoverageHBase of(String table, TsdFiles files, HBaseOptions hbase, Problems problems) {
    Map<String, String> client = hbase.clientProperties(files.config(), problems);
    requireTableName(table, problems);
    return new CoverageHBase(table, files, client);
  }

  /** Checks the form of a table's name, if it is given. */
  static void requireTableName(@Nullable String table, Problems problems) {
    if (table != null && !CoverageRows.isTableName(table)) {
      problems.add("--coverage-table must be the name of a table, found: " + table);
    }
  }
}
