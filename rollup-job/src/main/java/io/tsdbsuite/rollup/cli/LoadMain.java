package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.load.LoadReport;
import io.tsdbsuite.rollup.load.LoadReportJson;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line of {@code rollup-job load}. */
final class LoadMain {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  LoadMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /** Runs the load. Never throws for anything that a user or an outside system does. */
  ExitCode run(String... args) {
    LoadCommand command = new LoadCommand();
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
    LoadOptions options = new LoadOptions(command, RollupMain.overrides(parsed));
    List<String> problems =
        Stream.concat(
                parsed.errors().stream().map(Exception::getMessage), options.problems().stream())
            .distinct()
            .toList();
    if (!problems.isEmpty()) {
      problems.forEach(problem -> err.println("rollup-job load: " + problem));
      err.println("Nothing was read or written. --help lists the options.");
      return ExitCode.USAGE;
    }
    try {
      return load(command, options);
    } catch (RollupException e) {
      err.println("rollup-job load: " + e.getMessage());
      return e.exitCode();
    } catch (RuntimeException | LinkageError e) {
      err.println("rollup-job load: unexpected failure, please report it: " + e);
      e.printStackTrace(err);
      return ExitCode.OUTSIDE;
    }
  }

  private ExitCode load(LoadCommand command, LoadOptions options) {
    // What spark-submit was told of Hadoop, without an application.
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    StoragePatience.apply(hadoop);
    ReportFile file = command.report == null ? null : ReportFile.of(command.report, hadoop);
    if (file != null) {
      file.check();
    }
    LoadReport report = options.job(hadoop, clock).run();
    out.print(report.text());
    out.flush();
    if (report.exitCode() != ExitCode.DONE) {
      err.println("rollup-job load: " + report.message());
    }
    if (file != null) {
      file.write(stream -> LoadReportJson.write(report, stream));
    }
    return report.exitCode();
  }
}
