package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.pack.PackJob;
import io.tsdbsuite.rollup.pack.PackOptions;
import io.tsdbsuite.rollup.pack.PackReport;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job pack}. */
@Command(
    name = "pack",
    header = "Brings a packed table to what its rollup table has, and folds its rows.",
    description =
        """
        Reads snapshots of both tables, the packed one taken first. Rollups that packed rows lack \
        are added, those that the rollup table does not have are taken back, rows of more than 4 \
        parts become one, and parts that add nothing are deleted. HFiles bring it into HBase. Then \
        pack looks whether HBase shows all these parts: it reads the columns of the packed rows of \
        the window, without values. The coverage says what is equal. Can be repeated at any time.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar pack \\
            --snapshot-root hdfs:///hbase --packed-snapshot tsdb-packed-1h-20261121 \\
            --plain-snapshot tsdb-rollup-1h-20261121 --tsd-config opentsdb.conf \\
            --from 2025-11-01 --to 2026-11-21 --hfile-dir hdfs:///rollups
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, all is equal",
      "1:packed cells cannot be read, or rollups differ in a way that is not decided: the rest is"
          + " done; or HBase does not show what was written: no window is added; or a snapshot is"
          + " corrupt: nothing is done",
      "2:wrong usage or configuration: nothing was written",
      "3:an outside system failed (storage, HBase, Spark); run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class PackCommand extends RollupMain.Action {
  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description =
          "HBase root directory or target of ExportSnapshot, with both snapshots: s3a://, hdfs://"
              + " or file:///. Read-only.")
  @Nullable String root;

  @Option(
      names = "--packed-snapshot",
      paramLabel = "NAME",
      description =
          "Snapshot of the packed table, complete before the other one was taken; at most 7 days"
              + " old. An empty table has one, too.")
  @Nullable String packedSnapshot;

  @Option(
      names = "--plain-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the rollup table of the interval.")
  @Nullable String plainSnapshot;

  @Mixin TsdOptions tsd = new TsdOptions();

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Option(
      names = "--interval",
      paramLabel = "INTERVAL",
      defaultValue = "1h",
      description = "An interval of suite.packed in rollup_config.json." + RollupCommand.DEFAULT)
  String interval = "1h";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First hour; above 1h where an interval begins: ISO-8601 (2026-11-19,"
              + " 2026-11-19T05:00:00Z) or seconds since the epoch; UTC. Whole rows are packed.")
  @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "The end; written like --from.")
  @Nullable String to;

  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description =
          "Directory for HFiles, with its file system; preferably on the HDFS or in the bucket of"
              + " HBase. The run removes its own, unless it is killed.")
  @Nullable String hfileDir;

  @Option(
      names = "--delete-corrupt",
      description = "Delete packed cells that cannot be read. Default: they are counted, and stay.")
  boolean deleteCorrupt;

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      description =
          "The coverage table, which must exist, also for its floors: rows below that of their"
              + " metric and the interval are left out. Default: tsdb-coverage, if it exists; else"
              + " the report says that nothing is proven.")
  @Nullable String coverageTable;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Destination of the JSON report, also of a run that fails: a local file, or a URI with"
              + " its scheme. Default: none.")
  @Nullable String report;

  @Option(
      names = DryRun.OPTION,
      description = "Only read both snapshots, and count what would be done.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--snapshot-root", root);
    problems.require("--packed-snapshot", packedSnapshot);
    problems.require("--plain-snapshot", plainSnapshot);
    if (!dryRun) {
      problems.require("--hfile-dir", hfileDir);
    }
    CoverageOptions.requireTableName(coverageTable, problems);
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, problems);
    Map<String, String> client = hbase.clientProperties(files.config(), problems);
    Level level = level(files.rollups(), problems);
    Window window = window(level, problems);
    if (!problems.isEmpty() || level == null || window == null) {
      return invocation.refuse();
    }
    PackOptions options =
        new PackOptions(
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            level,
            window,
            Objects.requireNonNull(root),
            Objects.requireNonNull(packedSnapshot),
            Objects.requireNonNull(plainSnapshot),
            dryRun ? null : hfileDir,
            coverageTable,
            deleteCorrupt);
    HBaseVersion.require();
    try (JavaSparkContext spark = SparkStart.start(false)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      ReportFile file = ReportFile.checked(report, spark.hadoopConfiguration());
      PackReport packed =
          new PackJob(
                  spark,
                  HBaseClients.configuration(spark.hadoopConfiguration(), client),
                  options,
                  invocation.clock())
              .run();
      invocation.end(packed.report(), packed.message(), file);
      return packed.exitCode();
    }
  }

  private @Nullable Level level(@Nullable RollupConfig rollups, Problems problems) {
    if (rollups == null) {
      return null;
    }
    Level level = rollups.level(Level.text(interval, Level.PACKED));
    if (level == null) {
      problems.add(
          "--interval must be one of suite.packed in rollup_config.json, found: " + interval);
    }
    return level;
  }

  private @Nullable Window window(@Nullable Level level, Problems problems) {
    problems.require("--from", from);
    problems.require("--to", to);
    Long begin = time("--from", from, problems);
    Long end = time("--to", to, problems);
    if (level == null || begin == null || end == null) {
      return null;
    }
    if (begin >= end) {
      problems.add("--from must be before --to, found: " + from + " and " + to);
    }
    if (begin % level.interval().seconds() != 0 || end % level.interval().seconds() != 0) {
      problems.add(
          "--from and --to must be where an interval of %s begins, found: %s and %s"
              .formatted(interval, from, to));
    }
    if (level.interval().baseTime(begin) <= 0) {
      problems.add("--from must be in a row that begins after 1970-01-01, found: " + from);
    }
    return new Window(begin, end);
  }

  private static @Nullable Long time(String option, @Nullable String text, Problems problems) {
    return text == null ? null : problems.tried(() -> HourParser.hour(option, text));
  }
}
