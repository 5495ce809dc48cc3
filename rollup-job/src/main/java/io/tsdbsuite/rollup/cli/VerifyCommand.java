package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.ProgramVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The raw options of {@code rollup-job verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Compares stored rollups with rollups computed from a snapshot of raw data.",
    description =
        """
        Rolls up a window again and compares sum, min, max and count of each series and interval \
        with the rollup tables, from their snapshots or through a TSD. Writes only its report.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar verify \\
            --snapshot-root s3a://backup/hbase --data-snapshot tsdb-20261120 \\
            --uid-snapshot tsdb-uid-20261120 --tsd-config opentsdb.conf --day 2026-11-19 \\
            --against-snapshot tsdb-rollup-1h-20261121
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all rollups are stored as raw data make them, and nothing else is",
      "1:some are missing, extra or different, or the input is corrupt",
      "2:wrong usage or configuration",
      "3:an outside system failed (storage, TSD, Spark); run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class VerifyCommand {
  @Option(
      names = "--against-snapshot",
      paramLabel = "NAME,...",
      split = ",",
      description =
          "Snapshots of the rollup tables, one for the table of each --interval, taken"
              + " after the rollups of the window were stored. Compares everything, including"
              + " stored series that the raw data lack.")
  List<String> againstSnapshot = new ArrayList<>();

  @Option(
      names = "--against-tsd",
      paramLabel = "URL",
      description =
          "A TSD that reads the rollup tables, http://host:4242. Queries each series of"
              + " the raw data, so stored series that the raw data lack are not found.")
  @Nullable String againstTsd;

  @Option(
      names = "--rollup-root",
      paramLabel = "URI",
      description = "Root of the snapshots of the rollup tables. Default: --snapshot-root.")
  @Nullable String rollupRoot;

  @Option(
      names = "--sample",
      paramLabel = "FRACTION",
      defaultValue = "1",
      description =
          "Fraction of the series to compare, chosen by a hash of each series: 0.01, or"
              + " 1%%; 1 is all."
              + RollupCommand.DEFAULT)
  String sample = "1";

  @Option(
      names = "--min-series",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "Number of series that --sample must have, or all if there are fewer: while it has fewer,"
              + " a larger one is compared."
              + RollupCommand.DEFAULT)
  int minSeries = 100;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Seed of --sample; another seed selects other series." + RollupCommand.DEFAULT)
  long seed;

  @Option(
      names = "--tsd-queries",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of concurrent queries to --against-tsd." + RollupCommand.DEFAULT)
  int tsdQueries = 2;

  @Mixin InputOptions input = new InputOptions();

  @Mixin ChoiceOptions choice = new ChoiceOptions();

  @Mixin TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Destination of the JSON report: a local file, or a URI with its scheme."
              + " Default: none.")
  @Nullable String report;

  @Option(
      names = DryRun.OPTION,
      description =
          "Only plan: regions, HFiles, bytes and partitions, from manifests and indexes. Compares"
              + " nothing, asks no TSD, and writes no report.")
  boolean dryRun;

  CommonOptions common() {
    return new CommonOptions(input, choice, tasks);
  }
}
