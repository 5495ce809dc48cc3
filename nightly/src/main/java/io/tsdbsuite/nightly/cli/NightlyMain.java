package io.tsdbsuite.nightly.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramMain;
import io.tsdbsuite.nightly.config.ConfigReader;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.report.NightResult;
import io.tsdbsuite.nightly.run.Nightly;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * The command line: {@code bin/rollup-nightly}.
 *
 * @param out for the line that says what was done, the plan and the help
 * @param err for messages and progress
 * @param clock the present
 * @param creationTime creation time of new snapshots, see {@link Nightly}
 */
public record NightlyMain(
    PrintWriter out, PrintWriter err, Clock clock, LongSupplier creationTime) {
  private static final String NAME = "rollup-nightly";

  /** Runs, and exits with an {@link ExitCode}. */
  public static void main(String[] args) {
    ProgramMain.run(
        NAME,
        (out, err) ->
            new NightlyMain(out, err, Clock.systemUTC(), () -> LiveSnapshots.MASTERS_TIME)
                .run(args));
  }

  /** Creates the parser, for the man page and shell completion. */
  public static CommandLine commandLine() {
    return CommandTree.of(new NightlyCommand());
  }

  /** Runs. Never throws. */
  public ExitCode run(String... args) {
    try {
      return command(args);
    } catch (JobException e) {
      return fail(e);
    } catch (RuntimeException | Error e) {
      return fail(JobException.defect("a defect of " + NAME + ", please report it: " + e, e));
    }
  }

  private ExitCode command(String... args) {
    Problems problems = new Problems();
    NightlyCommand command = new NightlyCommand();
    Optional<ParseResult> parsed = CommandTree.parse(CommandTree.of(command), out, problems, args);
    if (parsed.isEmpty()) {
      return ExitCode.DONE;
    }
    problems.require("--config", command.config);
    problems.throwIfAny();
    NightlyConfig config = ConfigReader.read(Objects.requireNonNull(command.config));
    Nightly nightly = new Nightly(config, clock, creationTime, this::progress);
    if (command.dryRun) {
      NightResult failures = nightly.plan(command.days, out::println);
      if (failures.exitCode() != ExitCode.DONE) {
        err.println(failures.line());
      }
      return failures.exitCode();
    }
    NightResult result = nightly.run(command.days);
    out.println(result.line());
    return result.exitCode();
  }

  private void progress(String line) {
    err.println(clock.instant().truncatedTo(ChronoUnit.SECONDS) + " " + NAME + ": " + line);
  }

  private ExitCode fail(JobException failure) {
    if (failure.exitCode() == ExitCode.DEFECT && failure.getCause() != null) {
      failure.getCause().printStackTrace(err);
    }
    String message = failure.getMessage();
    if (failure.exitCode() == ExitCode.USAGE) {
      message = Problems.text(message.lines().toList());
    }
    err.println(NAME + ": " + message);
    return failure.exitCode();
  }
}
