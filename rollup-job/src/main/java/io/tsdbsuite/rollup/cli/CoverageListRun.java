package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageListing;

/** Runs {@code rollup-job coverage list}. */
final class CoverageListRun {
  private CoverageListRun() {}

  /** Runs if the options have no problems; otherwise prints all problems. */
  static ExitCode of(CoverageListCommand command, Invocation invocation) {
    CoverageHBase hbase = new CoverageHBase(command.options, invocation);
    CoverageBounds wanted = command.bounds.read(invocation.problems());
    if (!invocation.problems().isEmpty()) {
      return invocation.console().refuse(invocation.problems());
    }
    return SparkStart.driverOnly(
        () ->
            hbase.with(
                CoverageHBase.hadoop(),
                connection -> {
                  long now = invocation.clock().millis();
                  try (CoverageTable table = new CoverageTable(connection, hbase.table())) {
                    Coverage read = table.read(CoverageListing.tables(hbase.rollups()), now);
                    Report report =
                        new CoverageListing(hbase.table(), read, hbase.rollups(), wanted, now)
                            .report();
                    invocation
                        .console()
                        .print(command.json ? report.jsonText() : report.table().toString());
                  }
                  return ExitCode.DONE;
                }));
  }
}
