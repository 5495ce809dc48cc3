package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.job.UidSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code rollup-job verify} as they are written. */
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
      "3:an outside system failed (storage, TSD, Spark); run it again"
    })
final class VerifyCommand {
  private static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";
  private static final String SAME = "As for rollup-job.";

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
              + DEFAULT)
  String sample = "1";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Another seed chooses another --sample." + DEFAULT)
  long seed;

  @Option(
      names = "--tsd-queries",
      paramLabel = "N",
      defaultValue = "2",
      description = "Queries that --against-tsd gets at once." + DEFAULT)
  int tsdQueries = 2;

  @Option(names = "--snapshot-root", paramLabel = "URI", description = SAME)
  String snapshotRoot;

  @Option(
      names = "--data-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the data table that the rollups are made of, or a later one.")
  String dataSnapshot;

  @Option(names = "--uid-snapshot", paramLabel = "NAME", description = SAME)
  String uidSnapshot;

  @Option(
      names = "--uid-source",
      paramLabel = "snapshot|hbase",
      defaultValue = "snapshot",
      description = SAME + DEFAULT)
  UidSource uidSource = UidSource.SNAPSHOT;

  @Option(names = "--hbase-property", paramLabel = "K=V", description = SAME)
  Map<String, String> hbaseProperties = new LinkedHashMap<>();

  @Option(names = "--tsd-config", paramLabel = "FILE", description = SAME)
  Path tsdConfig;

  @Option(names = "--rollup-config", paramLabel = "FILE", description = SAME)
  String rollupConfig;

  @Option(
      names = "--interval",
      paramLabel = "INTERVAL",
      split = ",",
      defaultValue = "1h",
      description = SAME + DEFAULT)
  List<String> intervals = new ArrayList<>(List.of("1h"));

  @Option(names = "--from", paramLabel = "TIME", description = SAME)
  String from;

  @Option(names = "--to", paramLabel = "TIME", description = SAME)
  String to;

  @Option(names = "--day", paramLabel = "DATE", description = SAME)
  String day;

  @Option(names = "--hold-back", paramLabel = "DURATION", description = SAME)
  String holdBack;

  @Option(names = "--metrics", paramLabel = "PATTERN", split = ",", description = SAME)
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--max-failed-rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Rows of the raw data that may fail. What is stored for them is extra, whatever this is."
              + DEFAULT)
  long maxFailedRows;

  @Option(
      names = "--partition-size",
      paramLabel = "MIB",
      defaultValue = "256",
      description = SAME + DEFAULT)
  double partitionMebibytes = 256;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Where the JSON report goes: a local file, or a URI with its scheme. Default: none.")
  String report;

  /** The options that say what is rolled up again, as those of a run that writes nothing. */
  RollupCommand rollup() {
    RollupCommand rollup = new RollupCommand();
    rollup.snapshotRoot = snapshotRoot;
    rollup.dataSnapshot = dataSnapshot;
    rollup.uidSnapshot = uidSnapshot;
    rollup.uidSource = uidSource;
    rollup.hbaseProperties = hbaseProperties;
    rollup.tsdConfig = tsdConfig;
    rollup.rollupConfig = rollupConfig;
    rollup.intervals = intervals;
    rollup.from = from;
    rollup.to = to;
    rollup.day = day;
    rollup.holdBack = holdBack;
    rollup.metrics = metrics;
    rollup.maxFailedRows = maxFailedRows;
    rollup.partitionMebibytes = partitionMebibytes;
    rollup.sink = RollupCommand.SinkKind.JSON;
    rollup.output = "";
    return rollup;
  }
}
