package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.prune.PruneJob;
import io.tsdbsuite.rollup.prune.PruneOptions;
import io.tsdbsuite.rollup.prune.PruneReport;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Runs {@code rollup-job prune}. */
final class PruneRun {
  private PruneRun() {}

  /** Prunes if the options have no problems; otherwise prints all problems. */
  static ExitCode of(PruneCommand command, Invocation invocation) {
    PruneOptions options = new PruneOptionsReader(command, invocation.problems()).read();
    if (options == null) {
      return invocation.console().refuse(invocation.problems());
    }
    return SparkStart.driverOnly(() -> prune(command, options, invocation));
  }

  private static ExitCode prune(PruneCommand command, PruneOptions options, Invocation invocation) {
    HBaseVersion.require();
    // The Hadoop configuration given to spark-submit, read without a Spark application.
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    ReportFile file = command.report == null ? null : ReportFile.of(command.report, hadoop);
    if (file != null) {
      file.check();
    }
    PruneReport run = new PruneJob(hadoop, options, invocation.clock()).run();
    Report report = run.report();
    Console console = invocation.console();
    run.warnings().forEach(console::warn);
    console.print(report.table().toString());
    if (run.exitCode() != ExitCode.DONE) {
      console.error(run.message());
    }
    if (file != null) {
      file.write(report);
    }
    return run.exitCode();
  }
}
