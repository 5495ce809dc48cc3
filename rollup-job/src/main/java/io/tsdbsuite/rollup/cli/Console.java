package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.error.Defects;
import java.io.PrintWriter;

/** Output and error messages of a command. */
final class Console {
  private final String name;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param name name of the command, the prefix of each message
   * @param out for requested output
   * @param err for messages
   */
  Console(String name, PrintWriter out, PrintWriter err) {
    this.name = name;
    this.out = out;
    this.err = err;
  }

  /** Prints the problems of the options; returns {@link ExitCode#USAGE}. */
  ExitCode refuse(Problems problems) {
    error(Problems.text(problems.all()));
    err.println("Nothing was read or written. --help lists the options.");
    return ExitCode.USAGE;
  }

  /**
   * Prints a failure, and the stack trace of an unexpected one; returns the exit code.
   *
   * @param failure also an error, or one of Spark's checked exceptions, which Scala does not
   *     declare
   */
  ExitCode fail(Throwable failure) {
    JobException known = Defects.of(failure);
    error(known.getMessage());
    if (known.exitCode() == ExitCode.DEFECT) {
      known.printStackTrace(err);
    }
    return known.exitCode();
  }

  /** Prints an error. */
  void error(String message) {
    err.println(name + ": " + message);
  }

  /** Prints a warning about an allowed but dangerous setting. */
  void warn(String warning) {
    error("warning: " + warning);
  }

  /** Prints requested output and flushes it, so that it precedes later messages. */
  void print(String text) {
    out.print(text);
    out.flush();
  }

  /** As {@link #print}, with a line break. */
  void println(String line) {
    print(line + System.lineSeparator());
  }
}
