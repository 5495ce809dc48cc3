package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.Duration;
import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.prune.KeepRule;
import io.tsdbsuite.rollup.prune.PruneJob;
import io.tsdbsuite.rollup.prune.PruneOptions;
import io.tsdbsuite.rollup.prune.PruneReport;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rollup-job prune}. */
@Command(
    name = "prune",
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
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class PruneCommand extends RollupMain.Action {
  /** Seconds: an hour, and 3650 days, which is 10y. */
  private static final long LEAST_GRACE = 3600;

  private static final long MOST_GRACE = 3650L * 86400;

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

  @Override
  ExitCode run(Invocation invocation) {
    PruneOptions options = read(invocation.problems());
    return options == null
        ? invocation.refuse()
        : SparkStart.driverOnly(() -> prune(options, invocation));
  }

  /** Returns the options; null if there are problems. */
  private @Nullable PruneOptions read(Problems problems) {
    problems.require("--snapshot-root", snapshotRoot);
    if (tables.isEmpty()) {
      problems.add("--table is required, once for each table of a night");
    }
    Set<TableName> names = new LinkedHashSet<>();
    for (String table : tables) {
      TableName name = problems.tried(() -> table(table));
      if (name != null && !names.add(name)) {
        problems.add("--table must be another one each time, found twice: " + table);
      }
    }
    SnapshotPattern pattern = problems.tried(() -> pattern(snapshotPattern));
    problems.atLeast("--keep-days", keepDays, 0);
    problems.atLeast("--keep-weeks", keepWeeks, 0);
    problems.atLeast("--keep-months", keepMonths, 0);
    if (keepDays <= 0 && keepWeeks <= 0 && keepMonths <= 0) {
      problems.add(
          "one of --keep-days, --keep-weeks, --keep-months must be 1 or more: prune never deletes"
              + " every night");
    }
    if (delete && dryRun) {
      problems.add("--delete and --dry-run exclude each other, found both");
    }
    Duration age = Duration.parse(grace);
    if (age == null || age.seconds() < LEAST_GRACE || age.seconds() > MOST_GRACE) {
      problems.add(
          "--grace must be a number and one of the units s m h d w n y, from 1h to 3650d, found: "
              + grace);
      return null;
    }
    return problems.isEmpty()
        ? new PruneOptions(
            Objects.requireNonNull(snapshotRoot),
            List.copyOf(names),
            Objects.requireNonNull(pattern),
            new KeepRule(keepDays, keepWeeks, keepMonths),
            java.time.Duration.ofSeconds(age.seconds()),
            delete)
        : null;
  }

  private static TableName table(String text) {
    try {
      return TableName.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--table must be the name of an HBase table, found: " + text, e);
    }
  }

  private static SnapshotPattern pattern(String text) {
    try {
      return SnapshotPattern.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--snapshot-pattern " + e.getMessage() + ", found: " + text, e);
    }
  }

  private ExitCode prune(PruneOptions options, Invocation invocation) {
    HBaseVersion.require();
    Configuration hadoop = SparkStart.hadoop();
    ReportFile file = ReportFile.checked(report, hadoop);
    PruneReport done = new PruneJob(hadoop, options, invocation.clock()).run();
    done.warnings().forEach(invocation::warn);
    String message = done.exitCode() == ExitCode.DONE ? "" : done.message();
    invocation.end(done.report(), message, file);
    return done.exitCode();
  }
}
