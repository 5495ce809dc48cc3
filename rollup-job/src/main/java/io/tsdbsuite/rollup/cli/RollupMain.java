package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramCommand;
import io.tsdbsuite.job.cli.ProgramMain;
import io.tsdbsuite.job.cli.TsdKeys;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * The command line: {@code spark-submit --class io.tsdbsuite.rollup.cli.RollupMain}.
 *
 * @param out for the table and the help
 * @param err for messages
 * @param clock the present, for the hold-back and the report
 */
public record RollupMain(PrintWriter out, PrintWriter err, Clock clock) {
  /** A command line with the system's clock. */
  public RollupMain(PrintWriter out, PrintWriter err) {
    this(out, err, Clock.systemUTC());
  }

  /** Runs a command and exits with its {@link ExitCode}. */
  public static void main(String[] args) {
    ProgramMain.run("rollup-job", (out, err) -> new RollupMain(out, err).run(args));
  }

  /** Runs a command. Never throws. */
  public ExitCode run(String... args) {
    Problems problems = new Problems();
    Invocation invocation = new Invocation("rollup-job", out, err, clock, Map.of(), problems);
    try {
      Optional<ParseResult> parsed = CommandTree.parse(CommandLines.create(), out, problems, args);
      if (parsed.isEmpty()) {
        return ExitCode.DONE;
      }
      invocation =
          new Invocation(
              parsed.get().commandSpec().qualifiedName(),
              out,
              err,
              clock,
              TsdKeys.given(parsed.get(), StorageSchema.KEYS),
              problems);
      return ((Action) parsed.get().commandSpec().userObject()).run(invocation);
    } catch (Throwable e) {
      return invocation.fail(e);
    }
  }

  /** A command whose options are filled in. */
  abstract static class Action extends ProgramCommand {
    /** Runs if the options have no problems; otherwise prints all problems. */
    abstract ExitCode run(Invocation invocation);
  }
}
