package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.ProgramVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rollup-job coverage add}. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Adds the window that the report of a run, or of a verify, proves.",
    description =
        """
        With the report of a run of rollup-job to Kafka it looks in the rollup tables until all \
        rollups of the run are there, and then whether queries see them and no others. \
        rollup-nightly does this by itself. With that of a run to HFiles the same, once they are \
        loaded, if the load did not cover them.

        With the report of a 'rollup-job verify --against-snapshot': it must have compared \
        everything and found no difference, and the rollup tables must have the regions of its \
        snapshots. From these snapshots on nobody may have removed or changed rollups of the \
        window by hand.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage add \\
            --evidence 2026-11-20.json --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:added; or the run proves nothing, for a reason that is shown",
      "2:wrong usage or configuration: the report is of another kind, of other tables, or of a"
          + " verify that proves nothing",
      "3:rollups of the run are missing after --patience, or HBase or storage failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageAddCommand implements CoverageCommand.Part {
  @Option(
      names = "--evidence",
      paramLabel = "FILE",
      description =
          "The JSON report of the run or of the verify: a local file, or a URI with its scheme.")
  @Nullable String evidence;

  @Mixin CoverageOptions options = new CoverageOptions();

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "How long TSDs may take to store rollups of the run that are missing, for example 30m."
              + RollupCommand.DEFAULT)
  String patience = "10m";

  @Option(
      names = "--coverage-source-checked",
      description =
          "The data snapshot of the run was taken of the table that the TSDs of this HBase read,"
              + " although HBase does not have it any more.")
  boolean sourceChecked;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write what was added as JSON, even if it fails: a local file, or a URI with its"
              + " scheme.")
  @Nullable String report;

  @Option(names = DryRun.OPTION, description = "Only check the report and the tables.")
  boolean dryRun;

  @Override
  public ExitCode run(Invocation invocation) {
    return CoverageAddRun.of(this, invocation);
  }
}
