package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.apply.TierUndo;
import io.tsdbsuite.rollup.tiers.apply.UndoOptions;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job tiers undo}. */
@Command(
    name = "undo",
    header = "Brings back the data that tiers apply has deleted.",
    description =
        """
Restores the rows of all days from a day on, up to the floor: lets HBase compact the \
regions with their delete markers, loads the cells of the proofs' snapshots with their \
timestamps, looks at each row, masks the rollups of raw data that came back, and lowers the \
floor. Points that came \
later stay. Can be retried after any failure.

  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\
    tiers undo --from 2026-10-27 --snapshot-root hdfs:///hbase \\
    --hfile-dir hdfs:///tiers --tsd-config opentsdb.conf
""",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the data are back, or an earlier undo has done it",
      "1:a directory of an apply, its floor or a snapshot is missing or damaged: the floors are as"
          + " they were",
      "2:wrong usage or configuration, or a table that does not allow it: the floors are as they"
          + " were",
      "3:HBase or storage failed; run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class TiersUndoCommand extends RollupMain.Action {
  @Option(
      names = "--table",
      paramLabel = "TABLE",
      defaultValue = Policy.RAW,
      description =
          "The table whose rows come back: raw, or an interval like 1h." + RollupCommand.DEFAULT)
  String level = Policy.RAW;

  @Option(
      names = "--from",
      paramLabel = "DATE",
      description = "The first day whose data come back, UTC; all later ones come back, too.")
  @Nullable String from;

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
      description = "That of tiers apply. HFiles with cells are written there, too.")
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
      description = "Only check, and say what would come back. Writes nothing.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--from", from);
    problems.require("--snapshot-root", snapshotRoot);
    problems.require("--hfile-dir", hfileDir);
    Long begin =
        from == null
            ? null
            : problems.tried(() -> HourParser.day("--from", Objects.requireNonNull(from)));
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, problems);
    TiersInput.requireLevel(level, files.rollups(), problems);
    Map<String, String> client = hbase.clientProperties(files.config(), problems);
    CoverageOptions.requireTableName(coverageTable, problems);
    if (!problems.isEmpty()) {
      return invocation.refuse();
    }
    UndoOptions options =
        new UndoOptions(
            level,
            Objects.requireNonNull(begin),
            match,
            Objects.requireNonNull(hfileDir),
            Objects.requireNonNull(snapshotRoot),
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            coverageTable);
    return SparkStart.driverOnly(() -> undo(options, client, invocation));
  }

  private ExitCode undo(UndoOptions options, Map<String, String> client, Invocation invocation) {
    HBaseVersion.require();
    Configuration hadoop = SparkStart.hadoop();
    ReportFile file = ReportFile.checked(dryRun ? null : report, hadoop);
    TierUndo job =
        new TierUndo(HBaseClients.configuration(hadoop, client), options, invocation.clock());
    UndoReport undone = job.run(dryRun);
    if (!dryRun) {
      invocation.end(undone.report(), undone.message(), file);
      return undone.exitCode();
    }
    if (undone.exitCode() != ExitCode.DONE) {
      invocation.error(undone.message());
      return undone.exitCode();
    }
    DryRun plan = new DryRun().line("table", undone.table());
    undone.planned().forEach(day -> plan.line("day", day.name()));
    invocation.print(plan.end("nothing was changed"));
    return ExitCode.DONE;
  }
}
