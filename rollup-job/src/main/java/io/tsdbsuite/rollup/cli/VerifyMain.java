package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import io.tsdbsuite.rollup.verify.job.VerifyJob;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.ParseResult;

/** The command line of {@code rollup-job verify}. */
final class VerifyMain {
  private final Console console;
  private final Clock clock;

  VerifyMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.console = new Console("rollup-job verify", out, err);
    this.clock = clock;
  }

  /** Runs the comparison. Never throws. */
  ExitCode run(String... args) {
    return console.guard(() -> guarded(args));
  }

  private ExitCode guarded(String... args) {
    VerifyCommand command = new VerifyCommand();
    ParseResult parsed = console.parse(command, args);
    if (parsed == null) {
      return ExitCode.DONE;
    }
    OptionsReader reader = new OptionsReader(command.rollup(), Console.overrides(parsed), clock);
    RollupOptions options = reader.read();
    VerifyOptionsReader more = new VerifyOptionsReader(command);
    VerifyOptions verify = more.read(options, reader.rollupConfig());
    List<String> problems = new ArrayList<>(reader.problems());
    problems.addAll(more.problems());
    return console.run(
        parsed,
        problems,
        () -> {
          reader.warnings().forEach(console::warn);
          return compare(command, options, verify);
        });
  }

  private ExitCode compare(VerifyCommand command, RollupOptions options, VerifyOptions verify) {
    HBaseVersion.require();
    try (JavaSparkContext spark = RollupMain.spark()) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      ReportFile file =
          command.report == null
              ? null
              : ReportFile.of(command.report, spark.hadoopConfiguration());
      if (file != null) {
        file.check();
      }
      VerifyReport report = new VerifyJob(spark, options, verify, clock).run();
      console.print(report.table());
      if (report.exitCode() != ExitCode.DONE) {
        console.error(report.message());
      }
      if (file != null) {
        file.write(stream -> stream.write(report.json().getBytes(StandardCharsets.UTF_8)));
      }
      return report.exitCode();
    }
  }
}
