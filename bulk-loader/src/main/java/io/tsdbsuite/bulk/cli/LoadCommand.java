package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.run.LoadJob;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** The {@code load} command. */
@CommandLine.Command(
    name = "load",
    header = "Loads text into OpenTSDB.",
    description = {
      "Reads and sorts all input in the work directory before it writes, so bad input leaves the"
          + " data table unchanged. After a kill or a failure: bulk-loader resume.",
      "",
      "  bulk-loader load --tsd-config opentsdb.conf --mode put --input history/*.gz",
      ""
    })
final class LoadCommand extends Command {
  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin NameOptions names = new NameOptions();
  @Mixin WriteOptions write = new WriteOptions();
  @Mixin RunOptions run = new RunOptions();
  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  ExitCode run(Invocation invocation) {
    LoadSettings settings = settings(invocation);
    if (dryRun.on) {
      WorkDir.requireFree(settings.run().workDir());
      return PlanCommand.plan(
          settings.tsd(), settings.input(), settings.write(), PlanCommand.SAMPLE, invocation);
    }
    return run(settings, invocation, false);
  }

  /**
   * The settings.
   *
   * @throws io.tsdbsuite.job.JobException usage, with all problems
   */
  LoadSettings settings(Invocation invocation) {
    Problems problems = invocation.problems();
    TsdSettings target = tsd.read(invocation);
    InputSettings files = input.read(names.read(target, problems), problems);
    WriteSettings writing = write.read(target, invocation);
    RunSettings process = run.read(files, invocation);
    return new LoadSettings(invocation.valid(target), files, writing, process);
  }

  static ExitCode run(LoadSettings settings, Invocation invocation, boolean resume) {
    Thread hint = new Thread(() -> sayHowToResume(settings.run().workDir(), invocation));
    Runtime.getRuntime().addShutdownHook(hint);
    try (ProgressTracker progress = invocation.progress(settings.run())) {
      LoadJob job =
          new LoadJob(
              settings,
              LoadArguments.of(settings, invocation.tsdKeys()),
              ProgramVersion.of("bulk-loader", LoadCommand.class),
              invocation.clock(),
              System.in,
              progress,
              end -> {
                ExitCode unused = ReportOutput.show(end, settings.run(), invocation);
              });
      BulkLoaderReport report = resume ? job.resume() : job.load();
      return report.exitCode();
    } finally {
      boolean unused = removed(hint);
    }
  }

  /** Whether the hook was removed; false while the process is being stopped. */
  private static boolean removed(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** For a process that is stopped by Ctrl-C or SIGTERM in the middle of a load. */
  private static void sayHowToResume(Path workDir, Invocation invocation) {
    String then;
    try {
      LoadState unused = WorkDir.look(workDir);
      then = "continue with: bulk-loader resume --work-dir " + workDir;
    } catch (JobException e) {
      // It was stopped before it began, or has just ended.
      then = String.valueOf(e.getMessage());
    }
    invocation.err().println("bulk-loader: the load was stopped; " + then);
    invocation.err().flush();
  }
}
