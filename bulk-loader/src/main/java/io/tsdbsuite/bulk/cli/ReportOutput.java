package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.report.LoadReport;
import io.tsdbsuite.bulk.report.ReportJson;
import io.tsdbsuite.bulk.report.ReportTable;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    if (name != null && isRemote(name)) {
      remote(name, configuration, ReportJson.write(report));
    } else if (name != null) {
      write(Path.of(name).toAbsolutePath(), ReportJson.write(report));
    }
    return report.exitCode();
  }

  static ExitCode show(LoadReport report, RunSettings settings, Invocation invocation) {
    print(report, invocation);
    keep(ReportJson.write(report), settings);
    return report.exitCode();
  }

  /** Writes a report to the work directory, and to the file of {@code --report} if it is set. */
  static void keep(String json, RunSettings settings) {
    write(settings.workDir().resolve(NAME), json);
    if (settings.report() != null) {
      write(settings.report(), json);
    }
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

  private static void remote(String name, Configuration configuration, String json) {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
    try (OutputStream out = file.getFileSystem(configuration).create(file, true)) {
      out.write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw JobException.outside("the report " + name + " cannot be written: " + e, e);
    }
  }

  /** Replaces a report atomically. */
  static void write(Path file, String json) {
    Path part = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(part, json, StandardCharsets.UTF_8);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw JobException.outside("the report " + file + " cannot be written: " + e, e);
    }
  }
}
