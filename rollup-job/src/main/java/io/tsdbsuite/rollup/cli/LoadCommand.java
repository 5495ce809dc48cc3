package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.load.CoverageChoice;
import io.tsdbsuite.rollup.load.LoadJob;
import io.tsdbsuite.rollup.load.LoadReport;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job load}. */
@Command(
    name = "load",
    header = "Loads the HFiles of a run of rollup-job --sink hfile into HBase.",
    description =
        """
        Checks manifest, files, tables and configuration, hands the files to HBase's own bulk load \
        tool, and counts their cells in the table. Compares packed rows with plain ones. Can be \
        retried after any failure.

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
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class LoadCommand extends RollupMain.Action {
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

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--hfile-dir", hfileDir);
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, problems);
    Map<String, String> client = hbase.clientProperties(files.config(), problems);
    Long pause = problems.tried(() -> HoldBack.parse("--coverage-pause", "2m", coveragePause));
    CoverageOptions.requireTableName(coverageTable, problems);
    if (!problems.isEmpty()) {
      return invocation.refuse();
    }
    CoverageChoice coverage =
        new CoverageChoice(
            Objects.requireNonNullElse(coverageTable, CoverageRows.DEFAULT_TABLE),
            coverageTable != null,
            !noCoverage,
            coverageSourceChecked,
            Duration.ofSeconds(Objects.requireNonNull(pause)));
    return SparkStart.driverOnly(() -> load(files, client, coverage, invocation));
  }

  private ExitCode load(
      TsdFiles files, Map<String, String> client, CoverageChoice coverage, Invocation invocation) {
    HBaseVersion.require();
    Configuration hadoop = SparkStart.hadoop();
    ReportFile file = ReportFile.checked(dryRun ? null : report, hadoop);
    LoadJob job =
        new LoadJob(
            HBaseClients.configuration(hadoop, client),
            Objects.requireNonNull(hfileDir),
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            files.codecs(),
            allowUnreplicated,
            coverage,
            invocation.clock());
    if (dryRun) {
      return check(job.check(), invocation);
    }
    LoadReport load = job.run();
    invocation.end(load.report(), load.message(), file);
    return load.exitCode();
  }

  private static ExitCode check(LoadReport report, Invocation invocation) {
    if (report.exitCode() != ExitCode.DONE) {
      invocation.error(report.message());
      return report.exitCode();
    }
    DryRun plan = new DryRun().line("directory", report.dir());
    Manifest manifest = Objects.requireNonNull(report.manifest(), "a checked run has a manifest");
    plan.line("run", manifest.run());
    for (Manifest.Table table : manifest.tables()) {
      plan.line("table", table.name() + ", " + table.level());
      plan.line("  files", table.files().size(), "files, fewer if a load was begun");
      plan.line("  cells", table.cells(), "cells");
    }
    report.coverageLines().forEach(line -> plan.line("coverage", line));
    if (report.loadedBefore()) {
      plan.line("outcome", "loaded before, nothing is left");
    }
    invocation.print(plan.end("nothing was loaded or written"));
    return ExitCode.DONE;
  }
}
