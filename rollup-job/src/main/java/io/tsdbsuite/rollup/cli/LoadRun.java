package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.load.LoadReport;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Runs {@code rollup-job load}. */
final class LoadRun {
  private LoadRun() {}

  /** Loads if the options have no problems; otherwise prints all problems. */
  static ExitCode of(LoadCommand command, Invocation invocation) {
    LoadOptions options = new LoadOptions(command, invocation);
    if (!invocation.problems().isEmpty()) {
      return invocation.console().refuse(invocation.problems());
    }
    return SparkStart.driverOnly(() -> load(command, options, invocation));
  }

  private static ExitCode load(LoadCommand command, LoadOptions options, Invocation invocation) {
    HBaseVersion.require();
    // The Hadoop configuration given to spark-submit, read without a Spark application.
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    if (command.dryRun) {
      return check(options.job(hadoop, invocation.clock()).check(), invocation.console());
    }
    ReportFile file = command.report == null ? null : ReportFile.of(command.report, hadoop);
    if (file != null) {
      file.check();
    }
    LoadReport load = options.job(hadoop, invocation.clock()).run();
    Report report = load.report();
    Console console = invocation.console();
    console.print(report.table().toString());
    if (!load.message().isEmpty()) {
      console.error(load.message());
    }
    if (file != null) {
      file.write(report);
    }
    return load.exitCode();
  }

  private static ExitCode check(LoadReport report, Console console) {
    if (report.exitCode() != ExitCode.DONE) {
      console.error(report.message());
      return report.exitCode();
    }
    DryRun plan = new DryRun().line("directory", report.dir());
    Manifest manifest = Objects.requireNonNull(report.manifest(), "a checked run has a manifest");
    plan.line("run", manifest.run());
    for (Manifest.Table table : manifest.tables()) {
      plan.line("table", table.name() + ", " + table.interval());
      plan.line("  files", table.files().size(), "files, fewer if a load was begun");
      plan.line("  cells", table.cells(), "cells");
    }
    report.coverageLines().forEach(line -> plan.line("coverage", line));
    if (report.loadedBefore()) {
      plan.line("outcome", "loaded before, nothing is left");
    }
    console.print(plan.end("nothing was loaded or written"));
    return ExitCode.DONE;
  }
}
