package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.rollup.coverage.CoverageAdd;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rollup-job coverage add}. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Adds the window that the report of a verify proves.",
    description =
        """
The report must be of a 'rollup-job verify --against-snapshot' that compared everything and \
found no difference, and the rollup tables must have the regions of its snapshots. From \
these snapshots on nobody may have removed or changed rollups of the window by hand.

  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage add \\
    --report verify.json --tsd-config opentsdb.conf
""",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:added",
      "2:wrong usage or configuration: the report proves nothing, or is of other tables",
      "3:HBase or storage failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageAddCommand implements CoverageCommand.Part {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "The JSON report of the verify: a local file, or a URI with its scheme.")
  @Nullable String report;

  @Mixin CoverageOptions options = new CoverageOptions();

  @Option(names = DryRun.OPTION, description = "Only check the report and the tables.")
  boolean dryRun;

  @Override
  public ExitCode run(Invocation invocation) {
    invocation.problems().require("--report", report);
    CoverageHBase hbase = new CoverageHBase(options, invocation);
    if (!invocation.problems().isEmpty()) {
      return invocation.console().refuse(invocation.problems());
    }
    return SparkStart.driverOnly(() -> add(hbase, Objects.requireNonNull(report), invocation));
  }

  private ExitCode add(CoverageHBase hbase, String file, Invocation invocation) {
    Configuration hadoop = CoverageHBase.hadoop();
    byte[] json = ReportFile.of(file, hadoop).bytes("--report");
    CoverageAdd add = new CoverageAdd(file, json, hbase.schema().dataTable(), hbase.rollups());
    return hbase.with(
        hadoop,
        connection -> {
          String verb = dryRun ? "would add " : "added ";
          add.run(connection, hbase.table(), dryRun, invocation.clock().millis())
              .forEach(line -> invocation.console().println(verb + line));
          return ExitCode.DONE;
        });
  }
}
