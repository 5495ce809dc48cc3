package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramMain;
import io.tsdbsuite.job.cli.TsdKeys;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** The command line: {@code spark-submit --class io.tsdbsuite.rollup.cli.RollupMain}. */
public final class RollupMain {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  /**
   * @param out for the table and the help
   * @param err for messages
   */
  public RollupMain(PrintWriter out, PrintWriter err) {
    this(out, err, Clock.systemUTC());
  }

  /**
   * @param out for the table and the help
   * @param err for messages
   * @param clock the present, for the hold-back and the report
   */
  public RollupMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /** Runs a command and exits with its {@link ExitCode}. */
  public static void main(String[] args) {
    ProgramMain.run("rollup-job", (out, err) -> new RollupMain(out, err).run(args));
  }

  /** Runs a command. Never throws. */
  public ExitCode run(String... args) {
    Console console = new Console("rollup-job", out, err);
    try {
      Problems problems = new Problems();
      Optional<ParseResult> parsed = CommandTree.parse(CommandLines.create(), out, problems, args);
      if (parsed.isEmpty()) {
        return ExitCode.DONE;
      }
      console = new Console(parsed.get().commandSpec().qualifiedName(), out, err);
      Map<String, String> tsdKeys = TsdKeys.given(parsed.get(), StorageSchema.KEYS);
      return run(
          parsed.get().commandSpec().userObject(),
          new Invocation(console, clock, tsdKeys, problems));
    } catch (Throwable e) {
      return console.fail(e);
    }
  }

  private static ExitCode run(Object command, Invocation invocation) {
    if (command instanceof LoadCommand load) {
      return LoadRun.of(load, invocation);
    }
    if (command instanceof VerifyCommand verify) {
      return VerifyRun.of(verify, invocation);
    }
    if (command instanceof PruneCommand prune) {
      return PruneRun.of(prune, invocation);
    }
    if (command instanceof CoverageCommand.Part part) {
      return part.run(invocation);
    }
    if (command instanceof CoverageCommand) {
      invocation.problems().add("coverage needs one of its commands: list, add, verify, remove");
      return invocation.console().refuse(invocation.problems());
    }
    return RollupRun.of((RollupCommand) command, invocation);
  }
}
