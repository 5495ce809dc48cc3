package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramMain;
import io.tsdbsuite.job.cli.TsdKeys;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** The command line: {@code bin/bulk-loader}. */
public final class BulkLoaderMain {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  /**
   * @param out for reports and the help
   * @param err for messages and progress
   * @param clock the present, for cell timestamps and active hours
   */
  public BulkLoaderMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /** Runs a command and exits with its {@link ExitCode}. */
  public static void main(String[] args) {
    Thread.setDefaultUncaughtExceptionHandler(BulkLoaderMain::uncaught);
    ProgramMain.run(
        "bulk-loader", (out, err) -> new BulkLoaderMain(out, err, Clock.systemUTC()).run(args));
  }

  /** An error of the JVM in a detached thread leaves the process in an unknown state: it ends. */
  private static void uncaught(Thread thread, Throwable failure) {
    System.err.println("bulk-loader: thread " + thread.getName() + " failed");
    failure.printStackTrace();
    if (failure instanceof VirtualMachineError) {
      Runtime.getRuntime().halt(ProgramMain.DEFECT);
    }
  }

  /** Runs a command. Never throws. */
  public ExitCode run(String... args) {
    try {
      return command(args);
    } catch (Throwable e) {
      return fail(Defects.of(e));
    }
  }

  private ExitCode command(String... args) {
    Problems problems = new Problems();
    Optional<ParseResult> parsed = CommandTree.parse(CommandLines.create(), out, problems, args);
    if (parsed.isEmpty()) {
      return ExitCode.DONE;
    }
    if (!(parsed.get().commandSpec().userObject() instanceof Command command)) {
      if (problems.isEmpty()) {
        problems.add(
            "a command is required: load, resume, verify, plan, generate, spark-load or"
                + " report-page");
      }
      problems.throwIfAny();
      return ExitCode.USAGE;
    }
    return command.run(
        new Invocation(
            out,
            err,
            clock,
            GivenOptions.of(parsed.get()),
            TsdKeys.given(parsed.get(), TsdOptions.KEYS),
            problems));
  }

  private ExitCode fail(JobException failure) {
    if (failure.exitCode() == ExitCode.DEFECT && failure.getCause() != null) {
      failure.getCause().printStackTrace(err);
    }
    String message = String.valueOf(failure.getMessage());
    if (failure.exitCode() == ExitCode.USAGE) {
      message = Problems.text(message.lines().toList());
    }
    err.println("bulk-loader: " + message);
    if (failure.exitCode() == ExitCode.USAGE) {
      err.println("--help lists the options of a command.");
    }
    return failure.exitCode();
  }
}
