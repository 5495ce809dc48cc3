package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.error.ExitCode;
import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.report.LoadReport;
import io.tsdbsuite.bulk.report.ReportJson;
import io.tsdbsuite.bulk.report.ReportTable;
import io.tsdbsuite.bulk.settings.RunSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Shows and keeps the report of a load. */
final class Reports {
  private static final String NAME = "report.json";

  private Reports() {}

  static ExitCode show(LoadReport report, RunSettings settings, Invocation invocation) {
    invocation.out().print(ReportTable.of(report));
    invocation.out().flush();
    if (report.exitCode() != ExitCode.DONE) {
      invocation.err().println("bulk-loader: " + report.message());
      invocation.err().flush();
    }
    String json = ReportJson.write(report);
    write(settings.workDir().resolve(NAME), json);
    if (settings.report() != null) {
      write(settings.report(), json);
    }
    return report.exitCode();
  }

  private static void write(Path file, String json) {
    Path part = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(part, json, StandardCharsets.UTF_8);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw LoadException.outside("the report " + file + " cannot be written: " + e, e);
    }
  }
}
