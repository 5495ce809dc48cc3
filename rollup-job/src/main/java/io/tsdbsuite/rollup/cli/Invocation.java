package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.report.ReportFile;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Context of a command besides its options, with its output.
 *
 * @param name name of the command, the prefix of each message
 * @param out for requested output
 * @param err for messages
 * @param clock the present, for the hold-back and the reports
 * @param tsdKeys keys of opentsdb.conf given as options; they override the file's
 * @param problems problems of parsing; the command adds its own
 */
record Invocation(
    String name,
    PrintWriter out,
    PrintWriter err,
    Clock clock,
    Map<String, String> tsdKeys,
    Problems problems) {
  /** Prints the problems of the options; returns {@link ExitCode#USAGE}. */
  ExitCode refuse() {
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

  /**
   * Prints the report of work that has ended, and writes it.
   *
   * @param message why it did not succeed; empty if it did
   * @param file null for none
   */
  void end(Report report, String message, @Nullable ReportFile file) {
    print(report.table().toString());
    if (!message.isEmpty()) {
      error(message);
    }
    if (file != null) {
      file.write(report);
    }
  }
}
