package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import io.tsdbsuite.rollup.verify.job.VerifyJob;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs {@code rollup-job verify}. */
final class VerifyRun {
  private VerifyRun() {}

  /** Compares if the options have no problems; otherwise prints all problems. */
  static ExitCode of(VerifyCommand command, Invocation invocation) {
    Problems problems = invocation.problems();
    InputReader input = new InputReader(command.common(), false, invocation);
    UidSettings uids =
        UidSettingsReader.read(command.common(), false, input.files().config(), problems);
    VerifyOptions verify = new VerifyOptionsReader(command, problems).read(input.files());
    if (verify == null || !problems.isEmpty()) {
      return invocation.console().refuse(problems);
    }
    input.warnings().forEach(invocation.console()::warn);
    return compare(command, input.options(uids, null, AsOf.SNAPSHOT), verify, invocation);
  }

  private static ExitCode compare(
      VerifyCommand command, RollupOptions options, VerifyOptions verify, Invocation invocation) {
    HBaseVersion.require();
    try (JavaSparkContext spark = SparkStart.start(false)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      VerifyJob job = new VerifyJob(spark, options, verify, invocation.clock());
      if (command.dryRun) {
        invocation.console().print(job.plan());
        return ExitCode.DONE;
      }
      ReportFile file =
          command.report == null
              ? null
              : ReportFile.of(command.report, spark.hadoopConfiguration());
      if (file != null) {
        file.check();
      }
      VerifyReport found = job.run();
      Report report = found.report();
      Console console = invocation.console();
      console.print(report.table().toString());
      if (found.exitCode() != ExitCode.DONE) {
        console.error(found.message());
      }
      if (file != null) {
        file.write(report);
      }
      return found.exitCode();
    }
  }
}
