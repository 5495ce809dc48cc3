package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.cli.TsdOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the coverage table and its HBase; {@link CoverageHBase} reads them. */
final class CoverageOptions {
  @Mixin TsdOptions tsd = new TsdOptions();

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      defaultValue = CoverageRows.DEFAULT_TABLE,
      description = "The coverage table." + RollupCommand.DEFAULT)
  String table = CoverageRows.DEFAULT_TABLE;
}
