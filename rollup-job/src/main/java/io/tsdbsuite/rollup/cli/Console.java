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

/**
 * What a command has in common with the others: how it is asked, and how it tells what is wrong.
 */
final class Console {
  private final String name;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param name of the command, with which each message begins
   * @param out for what was asked for
   * @param err for messages
   */
  Console(String name, PrintWriter out, PrintWriter err) {
    this.name = name;
    this.out = out;
    this.err = err;
  }

  /**
   * Reads the options of a command, and those that it has for each key of opentsdb.conf.
   *
   * @param command receives them
   * @return null if help or the version was asked for, which is all there is to do
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

  /** The keys of opentsdb.conf that were given as options. */
  static Map<String, String> overrides(ParseResult parsed) {
    return TsdKeys.given(parsed, StorageSchema.KEYS);
  }

  /**
   * Runs a command from its first line to its last. Never throws: an unexpected exception is told
   * with its stack trace, and ends with {@link ExitCode#DEFECT}.
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
   * Runs a command whose options have no problems, else tells them all.
   *
   * @param problems beside those of parsing; one that is there twice is told once
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

  /** Tells what is wrong. */
  void error(String message) {
    err.println(name + ": " + message);
  }

  /** Tells what is allowed but dangerous. */
  void warn(String warning) {
    error("warning: " + warning);
  }

  /** Prints what was asked for, before any message that follows. */
  void print(String text) {
    out.print(text);
    out.flush();
  }
}
