package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.report.model.FileFailures;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.run.Books;
import io.tsdbsuite.report.run.Report;
import io.tsdbsuite.report.run.ReportPlan;
import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Common part of the reports: checks all options, reads, writes and checks the books. */
abstract class ReportCommand implements Callable<Integer> {
  @ParentCommand
  @SuppressWarnings("NullAway.Init") // Picocli sets it.
  private SeriesReport parent;

  @Mixin private SourceOptions source = new SourceOptions();

  @Mixin private ReportOptions report = new ReportOptions();

  private final String name;

  /**
   * @param name of the report
   */
  ReportCommand(String name) {
    this.name = name;
  }

  /** Reads the options of this report: see {@link ReportPlan#windows}. */
  abstract LongFunction<Window> window(List<String> problems);

  @Override
  public final Integer call() {
    try {
      List<String> problems = new ArrayList<>();
      long now = parent.clock().millis();
      LongFunction<Window> window = window(problems);
      SourceOptions.Opening opening = source.check(problems);
      ReportPlan plan = report.read(name, now, window, problems);
      if (!problems.isEmpty()) {
        throw JobException.usage(problems);
      }
      return run(plan, opening);
    } catch (JobException e) {
      e.getMessage().lines().forEach(parent::say);
      return e.exitCode().code();
    } catch (LinkageError e) {
      parent.say(
          "the class path lacks a library (TSD_CLASSPATH for the running HBase,"
              + " HBASE_CLASSPATH for snapshots): "
              + e);
      return ExitCode.USAGE.code();
    }
  }

  private int plan(ReportPlan plan, SourceOptions.Opening opening, String target) {
    try (MetaSource opened = opening.open()) {
      Instant time = new Report(plan, source.layout(), opened).check();
      String text =
          new DryRun()
              .line("time", time + ", from which days and hours count back")
              .line("report", "to " + target)
              .end("no series was read, nothing was written");
      parent.print(text);
      return ExitCode.DONE.code();
    } catch (IOException e) {
      throw JobException.outside("the plan could not be written: " + FileFailures.reason(e), e);
    }
  }

  private int run(ReportPlan plan, SourceOptions.Opening opening) {
    Path file = report.output();
    String target = file == null ? "standard output" : file.toString();
    if (report.dryRun) {
      return plan(plan, opening, target);
    }
    try (MetaSource opened = opening.open();
        Output output = file == null ? Output.to(parent.out()) : Output.to(file)) {
      Books books = new Report(plan, source.layout(), opened).write(output.writer());
      boolean closed = books.closes();
      if (closed) {
        output.commit();
      }
      for (String line : books.lines()) {
        parent.say(line);
      }
      return (closed ? ExitCode.DONE : ExitCode.DEFECT).code();
    } catch (IOException e) {
      throw JobException.outside(
          "the report could not be written to " + target + ": " + FileFailures.reason(e), e);
    }
  }
}
