package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.run.LoadPreview;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The {@code resume} command. */
@CommandLine.Command(
    name = "resume",
    header = "Resumes a load that was killed or has failed.",
    description = {
      "",
      "  bulk-loader resume --work-dir bulk-load-20261121-120000",
      "",
      "The options of the load are kept in the work directory; only the options below can change."
          + " The input must be unchanged.",
      ""
    })
final class ResumeCommand extends Command {
  @Option(names = "--work-dir", paramLabel = "DIR", description = "Work directory of the load.")
  @Nullable Path workDir;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = MemorySize.class,
      description = "As for load; may differ.")
  @Nullable Long memory;

  @Option(
      names = "--max-rejected",
      paramLabel = "[REASON=]N|N%",
      description = "New limits, as for load. Default: the load's.")
  List<String> maxRejected = new ArrayList<>();

  @Option(
      names = "--on-conflict",
      paramLabel = "fail|first|last|max",
      description = "New rule, for rows not written yet. Default: the load's.")
  @Nullable OnConflict onConflict;

  @Option(
      names = "--max-rows-per-second",
      paramLabel = "N",
      description = "New limit. Default: the load's.")
  @Nullable Long maxRowsPerSecond;

  @Option(
      names = "--progress",
      paramLabel = "auto|bar|plain|none",
      defaultValue = "auto",
      description = "As for load. Default: ${DEFAULT-VALUE}.")
  String progress = "auto";

  @Option(names = "--report", paramLabel = "FILE", description = "As for load.")
  @Nullable Path report;

  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--work-dir", workDir);
    Path directory = invocation.valid(workDir);
    List<String> arguments = WorkDir.arguments(directory);
    CommandLine line = CommandLines.create();
    ParseResult parsed = line.parseArgs(arguments.toArray(String[]::new)).subcommand();
    if (parsed == null || !(parsed.commandSpec().userObject() instanceof LoadCommand load)) {
      throw JobException.usage(
          "the work directory %s must be of a load, found one of: bulk-loader %s"
              .formatted(directory, String.join(" ", arguments)));
    }
    parsed.errors().forEach(error -> problems.add(String.valueOf(error.getMessage())));
    change(load);
    Invocation stored =
        new Invocation(
            invocation.out(),
            invocation.err(),
            invocation.clock(),
            GivenOptions.of(parsed),
            TsdKeys.given(parsed, TsdOptions.KEYS),
            problems);
    LoadSettings settings = load.settings(stored);
    if (dryRun.on) {
      return stored.print(LoadPreview.resume(settings, stored.clock()));
    }
    return LoadCommand.run(settings, stored, true);
  }

  private void change(LoadCommand load) {
    load.run.workDir = workDir;
    load.run.memory = memory;
    load.run.progress = progress;
    load.run.report = report;
    if (!maxRejected.isEmpty()) {
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
