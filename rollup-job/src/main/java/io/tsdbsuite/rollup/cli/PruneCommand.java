package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.ProgramVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The raw options of {@code rollup-job prune}; {@link PruneOptionsReader} checks them. */
@Command(
    name = "prune",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Deletes old nights of exported snapshots, and the HFiles that no snapshot needs.",
    description =
        """
        Without --delete it only prints its plan. Reads every manifest below the root, of any \
        table; what a remaining one names stays. Checks at the end that each night to keep is \
        whole. Can be repeated after any failure.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar prune \\
            --snapshot-root s3a://backup/hbase --table tsdb --table tsdb-uid \\
            --keep-days 14 --keep-weeks 8 --keep-months 12
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:planned; or deleted, and every night that the rule keeps is whole",
      "1:a manifest is damaged or in a wrong place, or a night to keep is not whole",
      "2:wrong usage or configuration, also a missing permission",
      "3:storage failed, or an export is just beginning; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class PruneCommand {
  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description = "Target of ExportSnapshot, with its scheme: s3a://, hdfs://, file:///.")
  @Nullable String snapshotRoot;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description =
          "Table whose snapshots are pruned, as HBase writes it (tsdb, ns:tsdb). Repeat it:"
              + " a night has a snapshot of each table.")
  List<String> tables = new ArrayList<>();

  @Option(
      names = "--snapshot-pattern",
      paramLabel = "TEXT",
      defaultValue = "{table}-{date}",
      description =
          "Names of the snapshots; {date} is yyyyMMdd. Other snapshots stay."
              + RollupCommand.DEFAULT)
  String snapshotPattern = "{table}-{date}";

  @Option(
      names = "--keep-days",
      paramLabel = "N",
      defaultValue = "0",
      description = "Keep the newest N nights." + RollupCommand.DEFAULT)
  int keepDays;

  @Option(
      names = "--keep-weeks",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Keep the last night of each of the newest N weeks that have one."
              + RollupCommand.DEFAULT)
  int keepWeeks;

  @Option(
      names = "--keep-months",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Keep the last night of each of the newest N months that have one."
              + RollupCommand.DEFAULT)
  int keepMonths;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "7d",
      description =
          "Age below which nothing is deleted, longer than an export takes."
              + RollupCommand.DEFAULT)
  String grace = "7d";

  @Option(names = "--delete", description = "Delete; without it prune only prints its plan.")
  boolean delete;

  @Option(names = DryRun.OPTION, description = "Only plan, which is also done without --delete.")
  boolean dryRun;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write the report as JSON, even if prune fails: a local file, or a URI with its"
              + " scheme.")
  @Nullable String report;
}
