package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.report.model.FileFailures;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.run.Books;
import io.tsdbsuite.report.run.Report;
import io.tsdbsuite.report.run.ReportPlan;
import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Common part of the reports: checks all options, reads, writes and checks the books. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    footer = {
      "",
      "Exit codes: 0 done, 1 a corrupt snapshot, 2 wrong use, 3 an outside system failed, 4 a"
          + " defect."
    })
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

  /**
   * Reads the options of this report, before all others: see {@link ReportPlan#windows}.
   *
   * @param problems receives the problems found
   */
  abstract LongFunction<Window> window(Problems problems);

  @Override
  public final Integer call() {
    try {
      Problems problems = new Problems();
      long now = parent.clock().millis();
      LongFunction<Window> window = window(problems);
      SourceOptions.Source from = source.read(problems);
      ReportPlan plan = report.read(name, now, window, problems);
      problems.throwIfAny();
      return run(plan, Objects.requireNonNull(from)).code();
    } catch (JobException e) {
      e.getMessage().lines().forEach(parent::say);
      return e.exitCode().code();
    } catch (LinkageError e) {
      parent.say(
          "the class path lacks a library (TSD_CLASSPATH for the running HBase,"
              + " HBASE_CLASSPATH for snapshots): "
              + e);
      return ExitCode.USAGE.code();
    } catch (OutOfMemoryError e) {
      parent.say(
          "the memory did not suffice (%s): raise the heap, JAVA_OPTS=-Xmx4g"
              .formatted(e.getMessage()));
      return ExitCode.DEFECT.code();
    }
  }

  private ExitCode run(ReportPlan plan, SourceOptions.Source from) {
    Path file = report.output();
    String target = file == null ? "standard output" : file.toString();
    if (report.dryRun) {
      return check(plan, from, target);
    }
    try (MetaSource opened = from.opening().get();
        Output output = file == null ? Output.to(parent.out()) : Output.to(file)) {
      Books books = new Report(plan, from.layout(), opened).write(output.writer());
      boolean closed = books.closes();
      if (closed) {
        output.commit();
      }
      books.lines().forEach(parent::say);
      return closed ? ExitCode.DONE : ExitCode.DEFECT;
    } catch (IOException e) {
      throw JobException.outside(
          "the report could not be written to " + target + ": " + FileFailures.reason(e), e);
    }
  }

  private ExitCode check(ReportPlan plan, SourceOptions.Source from, String target) {
    try (MetaSource opened = from.opening().get()) {
      parent.print(
          new DryRun()
              .line(
                  "time",
                  new Report(plan, from.layout(), opened).check()
                      + ", from which days and hours count back")
              .line("report", "to " + target)
              .end("no series was read, nothing was written"));
      return ExitCode.DONE;
    } catch (IOException e) {
      throw JobException.outside("the plan could not be written: " + FileFailures.reason(e), e);
    }
  }
}
