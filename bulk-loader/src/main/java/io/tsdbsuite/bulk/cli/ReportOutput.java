package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.report.LoadReport;
import io.tsdbsuite.bulk.report.ReportJson;
import io.tsdbsuite.bulk.report.ReportTable;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
      LoadReport report,
      @Nullable String name,
      Configuration configuration,
      Invocation invocation) {
    print(report, invocation);
    if (name != null) {
      writeAnywhere("report", name, configuration, json(report, invocation));
    }
    return report.exitCode();
  }

  static ExitCode show(LoadReport report, RunSettings settings, Invocation invocation) {
    print(report, invocation);
    keep(json(report, invocation), settings);
    return report.exitCode();
  }

  /** Writes a report to the work directory, and to the file of {@code --report} if it is set. */
  static void keep(String json, RunSettings settings) {
    write(settings.workDir().resolve(NAME), json);
    if (settings.report() != null) {
      write(settings.report(), json);
    }
  }

  private static String json(LoadReport report, Invocation invocation) {
    return ReportJson.write(
        report,
        new ReportJson.Program(
            ProgramVersion.of("bulk-loader", ReportOutput.class), invocation.given()));
  }

  private static void print(LoadReport report, Invocation invocation) {
    invocation.out().print(ReportTable.of(report));
    invocation.out().flush();
    if (report.exitCode() != ExitCode.DONE) {
      invocation.err().print(report.stackTrace());
      invocation.err().println("bulk-loader: " + report.message());
      invocation.err().flush();
    }
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
    Path part = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(part, text, StandardCharsets.UTF_8);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw JobException.outside(
          "the " + what + " " + file + " cannot be written: " + StorageFailures.reason(e), e);
    }
  }
}
