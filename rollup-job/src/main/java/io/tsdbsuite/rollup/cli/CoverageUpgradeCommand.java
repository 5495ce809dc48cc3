package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job coverage upgrade}. */
@Command(
    name = "upgrade",
    header = "Raises the coverage table to version 2, which has floors; for ever.",
    description =
        """
        A floor says before which time raw data or rollups of metrics may be gone, so that no \
        program takes them for data that never were. There is no way back to version 1.

        Before, install a release that knows version 2 everywhere: in all TSDs with rollup-query \
        or kafka-ingest, and for all jobs (rollup-job, rollup-nightly, bulk-loader). With an older \
        release queries prove nothing and read raw data, loads write no windows, bulk-loader \
        ends with 2, and kafka-ingest repairs rollups from raw data that are gone.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage upgrade \\
            --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the table has version 2, now or already before",
      "2:wrong usage or configuration, there is no such table, or it has an unknown version",
      "3:HBase failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageUpgradeCommand extends RollupMain.Action {
  @Mixin CoverageOptions options = new CoverageOptions();

  @Option(names = DryRun.OPTION, description = "Only say what would be done.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    CoverageHBase hbase = options.read(invocation);
    return invocation.problems().isEmpty()
        ? SparkStart.driverOnly(
            () -> hbase.with(connection -> upgrade(connection, hbase.table(), invocation)))
        : invocation.refuse();
  }

  private ExitCode upgrade(Connection connection, String name, Invocation invocation)
      throws IOException {
    try (CoverageTable table = new CoverageTable(connection, name)) {
      String before = table.version();
      boolean raised = dryRun ? table.canUpgrade() : table.upgrade();
      invocation.println(
          raised
              ? "table %s %s version %s, before %s"
                  .formatted(
                      name,
                      dryRun ? "would have" : "has",
                      CoverageRows.FLOOR_VERSION,
                      before.isEmpty() ? "none" : before)
              : "table %s has version %s already".formatted(name, CoverageRows.FLOOR_VERSION));
      return ExitCode.DONE;
    } catch (CoverageRefusedException e) {
      throw JobException.usage(String.valueOf(e.getMessage()), e);
    }
  }
}
