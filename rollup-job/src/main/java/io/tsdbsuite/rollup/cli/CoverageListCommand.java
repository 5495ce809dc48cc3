package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job coverage list}. */
@Command(
    name = "list",
    header = "Lists which rollups are proven to be stored, and what is not.",
    description =
        """
        The version of the table, its floors (before which data may be gone), windows by \
        interval, why one does not count, proven times and the holes between them, and masks. \
        Times are UTC. With --metric the proven times are those that a query of the metric finds, \
        without what masks void. Writes nothing.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage list \\
            --tsd-config opentsdb.conf --interval 1h --from 2026-11-01
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:listed",
      "1:the table breaks its specification, so that TSDs read raw data",
      "2:wrong usage or configuration, or there is no such table",
      "3:HBase failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageListCommand extends RollupMain.Action {
  @Mixin CoverageOptions options = new CoverageOptions();

  @Mixin BoundsOptions bounds = new BoundsOptions();

  @Option(names = "--json", description = "Print a JSON object instead of text.")
  boolean json;

  @Override
  ExitCode run(Invocation invocation) {
    CoverageHBase hbase = options.read(invocation);
    CoverageBounds wanted = bounds.read(invocation.problems());
    return invocation.problems().isEmpty()
        ? SparkStart.driverOnly(
            () -> hbase.with(connection -> list(connection, hbase, wanted, invocation)))
        : invocation.refuse();
  }

  private ExitCode list(
      Connection connection, CoverageHBase hbase, CoverageBounds wanted, Invocation invocation)
      throws IOException {
    long now = invocation.clock().millis();
    try (CoverageTable table = new CoverageTable(connection, hbase.table())) {
      Coverage read = table.read(CoverageListing.tables(hbase.rollups()), now);
      Report report =
          new CoverageListing(hbase.table(), table.version(), read, hbase.rollups(), wanted, now)
              .report();
      invocation.print(json ? report.jsonText() : report.table().toString());
    }
    return ExitCode.DONE;
  }
}
