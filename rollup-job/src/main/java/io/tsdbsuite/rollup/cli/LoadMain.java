package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.load.LoadReport;
import io.tsdbsuite.rollup.load.LoadReportJson;
import java.io.PrintWriter;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import picocli.CommandLine.ParseResult;

/** The command line of {@code rollup-job load}. */
final class LoadMain {
  private final Console console;
  private final Clock clock;

  LoadMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.console = new Console("rollup-job load", out, err);
    this.clock = clock;
  }

  /** Runs the load. Never throws. */
  ExitCode run(String... args) {
    return console.guard(() -> guarded(args));
  }

  private ExitCode guarded(String... args) {
    LoadCommand command = new LoadCommand();
    ParseResult parsed = console.parse(command, args);
    if (parsed == null) {
      return ExitCode.DONE;
    }
    LoadOptions options = new LoadOptions(command, Console.overrides(parsed));
    return console.run(parsed, options.problems(), () -> load(command, options));
  }

  private ExitCode load(LoadCommand command, LoadOptions options) {
    HBaseVersion.require();
    // The Hadoop configuration given to spark-submit, read without a Spark application.
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    ReportFile file = command.report == null ? null : ReportFile.of(command.report, hadoop);
    if (file != null) {
      file.check();
    }
    LoadReport report = options.job(hadoop, clock).run();
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
