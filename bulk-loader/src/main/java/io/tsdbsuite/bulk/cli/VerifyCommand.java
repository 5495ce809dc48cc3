package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.run.LoadPreview;
import io.tsdbsuite.bulk.run.VerifyJob;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.verify.Verification;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code verify} command. */
@CommandLine.Command(
    name = "verify",
    header = "Reads the input again and compares each point with the table. Writes nothing there.",
    description = {
      "",
      "  bulk-loader verify --tsd-config opentsdb.conf --input history/*.gz",
      "",
      "Exit code 0: a TSD reads every point of the input with the same type and value. Exit code"
          + " 1: points are missing or differ (the first are listed), or more than --max-rejected"
          + " points cannot be loaded.",
      ""
    })
final class VerifyCommand extends Command {
  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin NameOptions names = new NameOptions();
  @Mixin RunOptions run = new RunOptions();
  @Mixin DryRunOption dryRun = new DryRunOption();

  @Option(
      names = "--on-conflict",
      paramLabel = "fail|first|last|max",
      description = "As for the load.")
  @Nullable OnConflict onConflict;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    TsdSettings target = tsd.read(invocation);
    InputSettings files = input.read(names.read(target, problems), problems);
    WriteOptions asLoaded = new WriteOptions();
    asLoaded.rows.onConflict = onConflict;
    asLoaded.rows.noCreate = true;
    asLoaded.rows.allowActiveHours = true;
    WriteSettings writing = asLoaded.read(target, invocation);
    RunSettings process = run.read(files, invocation);
    // Names without UIDs are findings here.
    LoadSettings settings =
        new LoadSettings(invocation.valid(target), files.with(RejectLimits.NONE), writing, process);
    if (dryRun.on) {
      return invocation.print(LoadPreview.verify(settings, invocation.clock(), System.in));
    }
    Instant began = invocation.clock().instant();
    Verification found = null;
    ExitCode exitCode;
    String message;
    try {
      found = compare(settings, invocation);
      message = refusal(found, files.limits(), process);
      exitCode = message.isEmpty() ? ExitCode.DONE : ExitCode.BAD_INPUT;
    } catch (Throwable e) {
      JobException failure = Defects.of(e);
      // Without a comparison the work directory may belong to another command.
      if (failure.exitCode() != ExitCode.USAGE && process.report() != null) {
        String text = String.valueOf(failure.getMessage());
        String json = json(found, failure.exitCode(), text, began, invocation);
        writeBeside(failure, json, process.report(), invocation);
      }
      throw failure;
    }
    ReportOutput.keep(json(found, exitCode, message, began, invocation), process);
    if (!message.isEmpty()) {
      invocation.err().println("bulk-loader: " + message);
    }
    return exitCode;
  }

  /** A failure to write the report must not hide the failure in it. */
  private static void writeBeside(
      JobException failure, String json, Path report, Invocation invocation) {
    try {
      ReportOutput.write(report, json);
    } catch (JobException unwritten) {
      invocation.err().println("bulk-loader: " + unwritten.getMessage());
      failure.addSuppressed(unwritten);
    }
  }

  private static Verification compare(LoadSettings settings, Invocation invocation) {
    try (ProgressTracker progress = invocation.progress(settings.run())) {
      Verification found = new VerifyJob(settings, invocation.clock(), System.in, progress).run();
      ExitCode unused = invocation.print(found.table());
      if (!found.closes()) {
        throw Defects.defect("the books of the comparison do not close", null);
      }
      return found;
    }
  }

  /** Why the exit code is 1; empty if it is 0. */
  private static String refusal(Verification found, RejectLimits limits, RunSettings run) {
    Tally refused = new Tally();
    refused.add(found.tally());
    refused.reject(RejectReason.UNKNOWN_NAME, -found.unknown());
    if (limits.isExceeded(refused, found.tally().get(Count.POINTS_READ))) {
      return ("%s points of the input cannot be in the table, more than --max-rejected (%s);"
              + " they are in %s")
          .formatted(refused.rejected(), limits, run.workDir().resolve("rejected.*"));
    }
    return found.isGood()
        ? ""
        : "%s points are missing, %s are different, %s have names without UIDs"
            .formatted(found.findings().missing(), found.findings().different(), found.unknown());
  }

  private static String json(
      @Nullable Verification found,
      ExitCode exitCode,
      String message,
      Instant began,
      Invocation invocation) {
    return Verification.json(found, exitCode, message, began, invocation.clock().instant());
  }
}
