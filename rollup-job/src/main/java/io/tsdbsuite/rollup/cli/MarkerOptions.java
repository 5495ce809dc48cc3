package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.tiers.Policy;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that {@code tiers apply} and {@code tiers undo} have. */
final class MarkerOptions {
  /**
   * The end of a job.
   *
   * @param plan of a dry run
   */
  record Ended(ExitCode exitCode, String message, Report report, DryRun plan) {}

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description =
          "The table whose rows go or come back: raw, or an interval like 1h. Default: raw.")
  @Nullable String table;

  @Option(
      names = "--idle",
      description =
          "Instead of days of a table: series without a write for the time that the policy says"
              + " (idle), in all tables.")
  boolean idle;

  @Option(
      names = "--match",
      paramLabel = "PATTERN",
      description = "Only the entry of the policy with this match. Default: all.")
  @Nullable String match;

  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description =
          "HBase root directory or target of ExportSnapshot, with the proofs' data snapshots:"
              + " s3a://, hdfs:// or file:///. Read-only.")
  @Nullable String snapshotRoot;

  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description =
          "Directory for HFiles, the same for apply and undo, with its file system; preferably on"
              + " the HDFS or in the bucket of HBase. Each proof has a subdirectory, which a second"
              + " apply needs to go on, and undo to bring rows back.")
  @Nullable String hfileDir;

  @Mixin TsdOptions tsd = new TsdOptions();

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      defaultValue = CoverageRows.DEFAULT_TABLE,
      description = "The coverage table." + RollupCommand.DEFAULT)
  String coverageTable = CoverageRows.DEFAULT_TABLE;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write the report as JSON, even if it fails: a local file, or a URI with its"
              + " scheme.")
  @Nullable String report;

  @Option(
      names = DryRun.OPTION,
      description = "Only check, and say what would go or come back. Writes nothing.")
  boolean dryRun;

  /** HBase client properties; empty before {@link #read}. */
  private Map<String, String> client = Map.of();

  /** Reads the files that the options name, and checks the options. */
  TsdFiles read(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--snapshot-root", snapshotRoot);
    problems.require("--hfile-dir", hfileDir);
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, problems);
    if (idle) {
      problems.refuse("--table", table, "does not go with --idle");
    }
    TiersInput.requireLevel(level(), files.rollups(), problems);
    client = hbase.clientProperties(files.config(), problems);
    CoverageOptions.requireTableName(coverageTable, problems);
    return files;
  }

  /** Runs a job in the driver, and prints what it has done, or would do. */
  ExitCode run(Invocation invocation, String dry, Function<Configuration, Ended> job) {
    return SparkStart.driverOnly(
        () -> {
          HBaseVersion.require();
          Configuration hadoop = SparkStart.hadoop();
          ReportFile file = ReportFile.checked(dryRun ? null : report, hadoop);
          Ended ended = job.apply(HBaseClients.configuration(hadoop, client));
          if (!dryRun) {
            invocation.end(ended.report, ended.message, file);
          } else if (ended.exitCode != ExitCode.DONE) {
            invocation.error(ended.message);
          } else {
            invocation.print(ended.plan.end(dry));
          }
          return ended.exitCode;
        });
  }

  String level() {
    return table == null ? Policy.RAW : table;
  }

  String snapshotRoot() {
    return Objects.requireNonNull(snapshotRoot);
  }

  String hfileDir() {
    return Objects.requireNonNull(hfileDir);
  }
}
