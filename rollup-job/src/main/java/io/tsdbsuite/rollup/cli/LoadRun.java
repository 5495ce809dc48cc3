package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.rollup.load.LoadReport;
import io.tsdbsuite.rollup.load.LoadReportJson;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Runs {@code rollup-job load}. */
final class LoadRun {
  private LoadRun() {}

  /** Loads if the options have no problems; otherwise prints all problems. */
  static ExitCode of(LoadCommand command, Invocation invocation) {
    LoadOptions options = new LoadOptions(command, invocation);
    return invocation.problems().isEmpty()
        ? load(command, options, invocation)
        : invocation.console().refuse(invocation.problems());
  }

  private static ExitCode load(LoadCommand command, LoadOptions options, Invocation invocation) {
    HBaseVersion.require();
    // The Hadoop configuration given to spark-submit, read without a Spark application.
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    ReportFile file = command.report == null ? null : ReportFile.of(command.report, hadoop);
    if (file != null) {
      file.check();
    }
    LoadReport report = options.job(hadoop, invocation.clock()).run();
    Console console = invocation.console();
    console.print(report.text());
    if (report.exitCode() != ExitCode.DONE) {
      console.error(report.message());
    }
    if (file != null) {
      file.write(stream -> LoadReportJson.write(report, stream));
    }
    return report.exitCode();
  }
}
