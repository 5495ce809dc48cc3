package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.job.cli.TsdOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The raw options of {@code rollup-job load}; {@link LoadOptions} checks them. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Loads the HFiles of a run of rollup-job --sink hfile into HBase.",
    description =
        """
        Checks manifest, files, tables and configuration, hands the files to HBase's own bulk load \
        tool, and counts their cells in the table. Can be retried after any failure.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar load \\
            --hfile-dir hdfs:///rollups/1-20261120T031500Z_0a1b2c \\
            --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:loaded, and every cell was found",
      "1:bad input: a file is missing, damaged or foreign",
      "2:wrong usage or configuration",
      "3:HBase or storage failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class LoadCommand {
  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description = "The directory of one run, which contains manifest.json.")
  @Nullable String hfileDir;

  @Mixin TsdOptions tsd = new TsdOptions();

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Option(
      names = "--allow-unreplicated",
      description =
          "Load into a table with a REPLICATION_SCOPE, too. HBase replicates loaded HFiles only if"
              + " hbase.replication.bulkload.enabled is true on its region servers. Default: such a"
              + " table is refused.")
  boolean allowUnreplicated;

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      description =
          "The coverage table, in which rollup-query finds what is stored: it must exist. Default:"
              + " tsdb-coverage, if it exists.")
  @Nullable String coverageTable;

  @Option(
      names = "--no-coverage",
      description =
          "Do not write into the coverage table what the run has proven. What its files make wrong"
              + " is removed there all the same.")
  boolean noCoverage;

  @Option(
      names = "--coverage-source-checked",
      description =
          "The data snapshot was taken of the table that the TSDs of this cluster read, though"
              + " HBase does not have the snapshot any more.")
  boolean coverageSourceChecked;

  @Option(
      names = "--coverage-pause",
      paramLabel = "DURATION",
      defaultValue = "2m",
      description =
          "If windows must be removed from the coverage table before the files are loaded: wait so"
              + " long for queries that use them. Default: ${DEFAULT-VALUE}.")
  String coveragePause = "2m";

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write the report as JSON, even if the load fails: a local file, or a"
              + " URI with its scheme.")
  @Nullable String report;

  @Option(
      names = DryRun.OPTION,
      description =
          "Only check: manifest, files, tables and configuration. Loads nothing, and writes no"
              + " report.")
  boolean dryRun;
}
