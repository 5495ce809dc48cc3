package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.FileReplacement;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.job.report.Report;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Prints the report of a load and writes it to files. */
final class ReportOutput {
  private static final String NAME = "report.json";

  private ReportOutput() {}

  /** Whether the name of a report is a URI. */
  static boolean isRemote(String name) {
    return name.contains(":/");
  }

  /**
   * Shows the report of a load that has no work directory.
   *
   * @param name a local path or a URI; null for none
   * @param configuration configuration of file systems
   */
  static ExitCode show(
      BulkLoaderReport report,
      @Nullable String name,
      Configuration configuration,
      Invocation invocation) {
    String json = print(report, invocation);
    if (name != null) {
      writeAnywhere("report", name, configuration, json);
    }
    return report.exitCode();
  }

  static ExitCode show(BulkLoaderReport report, RunSettings settings, Invocation invocation) {
    keep(print(report, invocation), settings);
    return report.exitCode();
  }

  /** Writes a report to the work directory, and to the file of {@code --report} if it is set. */
  static void keep(String json, RunSettings settings) {
    write(settings.workDir().resolve(NAME), json);
    if (settings.report() != null) {
      write(settings.report(), json);
    }
  }

  /** Prints the table, and returns the JSON. */
  private static String print(BulkLoaderReport load, Invocation invocation) {
    Report report =
        load.report(ProgramVersion.of("bulk-loader", ReportOutput.class), invocation.given());
    ExitCode unused = invocation.print(report.table().toString());
    if (load.exitCode() != ExitCode.DONE) {
      invocation.err().print(load.stackTrace());
      invocation.err().println("bulk-loader: " + load.message());
      invocation.err().flush();
    }
    return report.jsonText();
  }

  /**
   * Checks that a file can be written, if it is local.
   *
   * @param option the option that names it
   */
  static void check(String option, String name, Problems problems) {
    if (isRemote(name)) {
      return;
    }
    try {
      Path file = Path.of(name).toAbsolutePath();
      Path directory = file.getParent();
      if (directory == null || !Files.isDirectory(directory) || Files.isDirectory(file)) {
        problems.add(option + " must be a file in a directory that exists, found: " + name);
      } else if (!Files.isWritable(directory)) {
        problems.add(
            option + " must be a file in a directory that this user can write, found: " + name);
      }
    } catch (InvalidPathException e) {
      problems.add(option + " must be a path or a URI, found: " + name);
    }
  }

  /**
   * Writes a file, and replaces it if it exists.
   *
   * @param what what it is, for messages
   * @param name a local path or a URI
   * @param configuration configuration of file systems
   */
  static void writeAnywhere(String what, String name, Configuration configuration, String text) {
    if (!isRemote(name)) {
      write(what, Path.of(name).toAbsolutePath(), text);
      return;
    }
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
    try (OutputStream out = file.getFileSystem(configuration).create(file, true)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw JobException.outside(
          "the " + what + " " + name + " cannot be written: " + StorageFailures.reason(e), e);
    }
  }

  /** Replaces a report atomically. */
  static void write(Path file, String json) {
    write("report", file, json);
  }

  private static void write(String what, Path file, String text) {
    try {
      FileReplacement.write(file, text);
    } catch (IOException e) {
      throw JobException.outside(
          "the " + what + " " + file + " cannot be written: " + StorageFailures.reason(e), e);
    }
  }
}
