package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Goes on with a load. */
@CommandLine.Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Goes on with a load that was killed, or that failed.",
    description = {
      "Everything but what is named here is as the load was started: its options are in the work"
          + " directory. The input must be as it was.",
      ""
    })
final class ResumeCommand implements Command {
  @Option(names = "--work-dir", paramLabel = "DIR", description = "Of the load.")
  Path workDir;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = MemorySize.Converter.class,
      description = "As for load; need not be the same.")
  MemorySize memory;

  @Option(
      names = "--max-rejected",
      paramLabel = "N",
      description = "Another limit. Default: the load's.")
  Long maxRejected;

  @Option(
      names = "--on-conflict",
      paramLabel = "fail|first|last|max",
      description = "Another decision, for what is not written yet. Default: the load's.")
  OnConflict onConflict;

  @Option(
      names = "--max-rows-per-second",
      paramLabel = "N",
      description = "Another limit. Default: the load's.")
  Long maxRowsPerSecond;

  @Option(
      names = "--progress",
      paramLabel = "auto|bar|plain|none",
      defaultValue = "auto",
      description = "As for load. Default: ${DEFAULT-VALUE}.")
  String progress = "auto";

  @Option(names = "--report", paramLabel = "FILE", description = "As for load.")
  Path report;

  @Override
  public ExitCode run(Invocation invocation, Problems problems) {
    problems.require("--work-dir", workDir);
    problems.throwIfAny();
    List<String> arguments = WorkDir.arguments(workDir);
    CommandLine line = CommandLines.create();
    ParseResult parsed = line.parseArgs(arguments.toArray(String[]::new)).subcommand();
    if (!(parsed.commandSpec().userObject() instanceof LoadCommand load)) {
      throw JobException.usage(
          "the work directory "
              + workDir
              + " must be of a load, found one of: bulk-loader "
              + String.join(" ", arguments));
    }
    parsed.errors().forEach(error -> problems.add(error.getMessage()));
    change(load);
    Invocation stored =
        new Invocation(
            invocation.out(),
            invocation.err(),
            invocation.clock(),
            arguments,
            BulkLoaderMain.tsdKeys(parsed));
    return LoadCommand.run(load.settings(stored, problems), stored, true);
  }

  private void change(LoadCommand load) {
    load.run.workDir = workDir;
    load.run.memory = memory;
    load.run.progress = progress;
    load.run.report = report;
    if (maxRejected != null) {
      load.input.maxRejected = maxRejected;
    }
    if (onConflict != null) {
      load.write.rows.onConflict = onConflict;
    }
    if (maxRowsPerSecond != null) {
      load.write.maxRowsPerSecond = maxRowsPerSecond;
    }
  }
}
