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
    header = "Raises the coverage table to version 2 (floors) or 3 (levels); for ever.",
    description =
        """
        A floor says before which time raw data or rollups of metrics may be gone, so that no \
        program takes them for data that never were. Version 3 also has windows of percentiles, \
        first and last values, histograms and packed rows. There is no way back.

        Before, install a release that knows the version everywhere: in all TSDs with rollup-query \
        or kafka-ingest, and for all jobs (rollup-job, rollup-nightly, bulk-loader). With one that \
        knows version 1 alone queries prove nothing and read raw data, loads write no windows, \
        bulk-loader ends with 2, and kafka-ingest repairs rollups from raw data that are gone. \
        One that knows version 2 refuses version 3: queries prove nothing, and answer 503 where \
        raw data may be gone, loads and bulk-loader end with 2, rollups and repairs wait.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage upgrade \\
            --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the table has the version or a higher one, now or already before",
      "2:wrong usage or configuration, there is no such table, or it has an unknown version",
      "3:HBase failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageUpgradeCommand extends RollupMain.Action {
  @Mixin CoverageOptions options = new CoverageOptions();

  @Option(names = "--levels", description = "Raise it to version 3; default: to version 2.")
  boolean levels;

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
      String to = levels ? CoverageRows.LEVEL_VERSION : CoverageRows.FLOOR_VERSION;
      boolean raised = dryRun ? table.canUpgrade(to) : table.upgrade(to);
      invocation.println(
          raised
              ? "table %s %s version %s, before %s"
                  .formatted(
                      name, dryRun ? "would have" : "has", to, before.isEmpty() ? "none" : before)
              : "table %s has version %s already".formatted(name, table.version()));
      return ExitCode.DONE;
    } catch (CoverageRefusedException e) {
      throw JobException.usage(String.valueOf(e.getMessage()), e);
    }
  }
}
