package io.tsdbsuite.rollup.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The raw options of {@code rollup-job verify}. */
@Command(
    name = "rollup-job verify",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Compares stored rollups with those that raw data of a snapshot make.",
    description = {
      "Rolls up a window again and holds sum, min, max and count of each series and interval"
          + " against the rollup tables, from their snapshots or through a TSD. Writes nothing but"
          + " its report.",
      "",
      "  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar verify \\",
      "    --snapshot-root s3a://backup/hbase --data-snapshot tsdb-2026-11-20 \\",
      "    --uid-snapshot tsdb-uid-2026-11-20 --tsd-config opentsdb.conf --day 2026-11-19 \\",
      "    --against-snapshot tsdb-rollup-1h-2026-11-21",
      ""
    },
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
          "Snapshots of the rollup tables, one for the table of each --interval, taken when the"
              + " rollups of the window had been stored. Compares everything, also what no series"
              + " of the raw data has.")
  List<String> againstSnapshot = new ArrayList<>();

  @Option(
      names = "--against-tsd",
      paramLabel = "URL",
      description =
          "A TSD that reads the rollup tables, http://host:4242: each series of the raw data is"
              + " asked for, so stored series that the raw data do not have are not found.")
  String againstTsd;

  @Option(
      names = "--rollup-root",
      paramLabel = "URI",
      description = "Where the snapshots of the rollup tables are. Default: --snapshot-root.")
  String rollupRoot;

  @Option(
      names = "--sample",
      paramLabel = "FRACTION",
      defaultValue = "1",
      description =
          "Part of the series that is compared, chosen by a hash of each: 0.01, or 1%%; 1 is all."
              + RollupCommand.DEFAULT)
  String sample = "1";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Another seed chooses another --sample." + RollupCommand.DEFAULT)
  long seed;

  @Option(
      names = "--tsd-queries",
      paramLabel = "N",
      defaultValue = "2",
      description = "Queries that --against-tsd gets at once." + RollupCommand.DEFAULT)
  int tsdQueries = 2;

  @Mixin InputOptions input = new InputOptions();

  @Mixin ChoiceOptions choice = new ChoiceOptions();

  @Mixin TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Where the JSON report goes: a local file, or a URI with its scheme. Default: none.")
  String report;

  /** Returns the input options as the options of a rollup run without output. */
  RollupCommand rollup() {
    RollupCommand rollup = new RollupCommand();
    rollup.input = input;
    rollup.choice = choice;
    rollup.tasks = tasks;
    rollup.sink = RollupCommand.SinkKind.JSON;
    rollup.output = "";
    return rollup;
  }
}
