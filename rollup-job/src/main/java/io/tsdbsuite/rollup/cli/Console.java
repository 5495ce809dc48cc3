package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import io.tsdbsuite.rollup.error.Defects;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Argument parsing, output and error messages shared by all commands. */
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

  /**
   * Parses the options of a command, including one option for each key of opentsdb.conf.
   *
   * @param command receives the values
   * @return null if help or the version was requested and printed; the command has nothing left to
   *     do
   */
  ParseResult parse(Object command, String... args) {
    CommandLine line = new CommandLine(command);
    TsdKeys.addTo(line.getCommandSpec(), StorageSchema.KEYS);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().parser().collectErrors(true);
    ParseResult parsed = line.parseArgs(args);
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      return null;
    }
    if (line.isVersionHelpRequested()) {
      line.printVersionHelp(out);
      return null;
    }
    return parsed;
  }

  /** The keys of opentsdb.conf given as options. */
  static Map<String, String> overrides(ParseResult parsed) {
    return TsdKeys.given(parsed, StorageSchema.KEYS);
  }

  /**
   * Runs a command. Never throws: prints an unexpected exception with its stack trace and returns
   * {@link ExitCode#DEFECT}.
   */
  ExitCode guard(Supplier<ExitCode> command) {
    try {
      return command.get();
    } catch (Throwable e) {
      // Spark's checked exceptions, which Scala does not declare, and errors, too.
      JobException failure = Defects.of(e);
      error(failure.getMessage());
      if (failure.exitCode() == ExitCode.DEFECT) {
        failure.printStackTrace(err);
      }
      return failure.exitCode();
    }
  }

  /**
   * Runs a command if its options have no problems; otherwise prints all of them.
   *
   * @param problems problems in addition to those of parsing; duplicates are printed once
   */
  ExitCode run(ParseResult parsed, List<String> problems, Supplier<ExitCode> work) {
    List<String> all =
        Stream.concat(parsed.errors().stream().map(Exception::getMessage), problems.stream())
            .distinct()
            .toList();
    return all.isEmpty() ? work.get() : refuse(all);
  }

  private ExitCode refuse(List<String> problems) {
    error(Problems.text(problems));
    err.println("Nothing was read or written. --help lists the options.");
    return ExitCode.USAGE;
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
}
