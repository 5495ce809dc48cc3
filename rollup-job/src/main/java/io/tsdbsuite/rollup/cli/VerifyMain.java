package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.job.RollupOptions;
import io.tsdbsuite.rollup.job.VerifyJob;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line of {@code rollup-job verify}. */
final class VerifyMain {
  private static final String NAME = "rollup-job verify";

  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  VerifyMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /** Runs the comparison. Never throws for anything that a user or an outside system does. */
  ExitCode run(String... args) {
    VerifyCommand command = new VerifyCommand();
    CommandLine line = RollupMain.commandLine(command);
    ParseResult parsed = line.parseArgs(args);
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      return ExitCode.DONE;
    }
    if (line.isVersionHelpRequested()) {
      line.printVersionHelp(out);
      return ExitCode.DONE;
    }
    OptionsReader reader = new OptionsReader(command.rollup(), RollupMain.overrides(parsed), clock);
    RollupOptions options = reader.read();
    VerifyOptionsReader more = new VerifyOptionsReader(command);
    VerifyOptions verify = more.read(options, reader.rollupConfig());
    List<String> problems =
        Stream.of(
                parsed.errors().stream().map(Exception::getMessage),
                reader.problems().stream(),
                more.problems().stream())
            .flatMap(found -> found)
            .distinct()
            .toList();
    if (!problems.isEmpty()) {
      return RollupMain.refuse(NAME, problems, err);
    }
    try {
      return run(command, options, verify, reader.warnings());
    } catch (RollupException e) {
      err.println(NAME + ": " + e.getMessage());
      return e.exitCode();
    } catch (RuntimeException | LinkageError e) {
      err.println(NAME + ": unexpected failure, please report it: " + e);
      e.printStackTrace(err);
      return ExitCode.OUTSIDE;
    }
  }

  private ExitCode run(
      VerifyCommand command, RollupOptions options, VerifyOptions verify, List<String> warnings) {
    warnings.forEach(warning -> err.println(NAME + ": warning: " + warning));
    try (JavaSparkContext spark = RollupMain.spark()) {
      StoragePatience.apply(spark.hadoopConfiguration());
      ReportFile file =
          command.report == null
              ? null
              : ReportFile.of(command.report, spark.hadoopConfiguration());
      if (file != null) {
        file.check();
      }
      VerifyReport report = new VerifyJob(spark, options, verify, clock).run();
      out.print(report.table());
      out.flush();
      if (report.exitCode() != ExitCode.DONE) {
        err.println(NAME + ": " + report.message());
      }
      if (file != null) {
        file.write(stream -> stream.write(report.json().getBytes(StandardCharsets.UTF_8)));
      }
      return report.exitCode();
    }
  }
}
