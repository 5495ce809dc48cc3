package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import io.tsdbsuite.job.cli.YarnDriver;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line: {@code bin/bulk-loader}. */
public final class BulkLoaderMain {
  /** {@link ExitCode#DEFECT}, also where no other class can be loaded. */
  private static final int DEFECT = 4;

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

  /**
   * Runs a command and exits with its {@link ExitCode}. Nothing leaves this method: the JVM would
   * end with 1, which means bad input.
   */
  public static void main(String[] args) {
    int code = DEFECT;
    try {
      Thread.setDefaultUncaughtExceptionHandler(BulkLoaderMain::uncaught);
      PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
      PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
      code = new BulkLoaderMain(out, err, Clock.systemUTC()).run(args).code();
      out.flush();
      err.flush();
    } catch (Throwable e) {
      e.printStackTrace();
      System.err.println("bulk-loader: a defect of bulk-loader, please report it: " + e);
    } finally {
      if (code != 0 || !YarnDriver.isThis()) {
        System.exit(code);
      }
    }
  }

  /** An error of the JVM in a detached thread leaves the process in an unknown state: it ends. */
  private static void uncaught(Thread thread, Throwable failure) {
    System.err.println("bulk-loader: thread " + thread.getName() + " failed");
    failure.printStackTrace();
    if (failure instanceof VirtualMachineError) {
      Runtime.getRuntime().halt(DEFECT);
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
    CommandLine line = CommandLines.create();
    ParseResult parsed = line.parseArgs(args);
    Problems problems = new Problems();
    CommandLine leaf = line;
    while (true) {
      parsed.errors().forEach(error -> problems.add(error.getMessage()));
      if (leaf.isUsageHelpRequested()) {
        leaf.usage(out);
        return ExitCode.DONE;
      }
      if (leaf.isVersionHelpRequested()) {
        leaf.printVersionHelp(out);
        return ExitCode.DONE;
      }
      if (!parsed.hasSubcommand()) {
        break;
      }
      parsed = parsed.subcommand();
      leaf = parsed.commandSpec().commandLine();
    }
    if (!(leaf.getCommand() instanceof Command command)) {
      if (problems.isEmpty()) {
        problems.add("a command is required: load, resume, verify, plan, generate or spark-load");
      }
      problems.throwIfAny();
      return ExitCode.USAGE;
    }
    return command.run(
        new Invocation(out, err, clock, List.of(args), TsdKeys.given(parsed, TsdOptions.KEYS)),
        problems);
  }

  private ExitCode fail(JobException failure) {
    if (failure.exitCode() == ExitCode.DEFECT && failure.getCause() != null) {
      failure.getCause().printStackTrace(err);
    }
    String message = failure.getMessage();
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
