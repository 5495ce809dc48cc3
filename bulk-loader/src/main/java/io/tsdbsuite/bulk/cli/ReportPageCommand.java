package io.tsdbsuite.bulk.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bulk.page.LoadPage;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code report-page} command. */
@CommandLine.Command(
    name = "report-page",
    header = "Makes a page with plots of the report of a load.",
    description = {
      "",
      "  bulk-loader report-page --report bulk-load-20261121-120000/report.json --page load.html",
      "",
      "Takes the JSON report of load, resume, spark-load or generate, also of a load that failed."
          + " The page is one HTML file that loads nothing and needs no JavaScript.",
      ""
    })
final class ReportPageCommand extends Command {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "The JSON report: a path or a URI.")
  @Nullable String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "The page: a path or a URI; a file that exists is replaced. Default: the name of the"
              + " report, with .html in place of .json.")
  @Nullable String page;

  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--report", report);
    String target = page == null && report != null ? beside(report) : page;
    if (target != null && target.equals(report)) {
      problems.add("--page must not be the file of --report, found: " + target);
    } else if (target != null) {
      ReportOutput.check("--page", target, problems);
    }
    Configuration configuration = new Configuration();
    String html = report == null ? null : html(report, configuration, problems);
    problems.throwIfAny();
    if (html == null || target == null) {
      throw new IllegalStateException("without problems there is a page");
    }
    if (dryRun.on) {
      return invocation.print(new DryRun().line("page", "to " + target).end("nothing was written"));
    }
    ReportOutput.writeAnywhere("page", target, configuration, html);
    return invocation.print("page: " + target + System.lineSeparator());
  }

  private static String beside(String report) {
    String stem =
        report.endsWith(".json") ? report.substring(0, report.length() - ".json".length()) : report;
    return stem + ".html";
  }

  /** The page; null when there are problems. */
  private static @Nullable String html(
      String report, Configuration configuration, Problems problems) {
    try {
      return LoadPage.of(new ObjectMapper().readTree(read(report, configuration)));
    } catch (JsonProcessingException e) {
      problems.add("--report " + report + " must be JSON, found: " + e.getOriginalMessage());
    } catch (UnsupportedFileSystemException | InvalidPathException e) {
      problems.add("--report must be a path or a URI, found: " + report);
    } catch (IllegalArgumentException e) {
      problems.add("--report " + report + " " + e.getMessage());
    } catch (FileNotFoundException | NoSuchFileException e) {
      problems.add("--report " + report + " cannot be read: there is no such file");
    } catch (CharacterCodingException e) {
      problems.add("--report " + report + " must be JSON, found bytes that are not UTF-8");
    } catch (IOException e) {
      throw JobException.outside(
          "--report " + report + " cannot be read: " + StorageFailures.reason(e), e);
    }
    return null;
  }

  private static String read(String report, Configuration configuration) throws IOException {
    if (!ReportOutput.isRemote(report)) {
      Path file = Path.of(report);
      if (Files.isDirectory(file)) {
        throw new IllegalArgumentException("must be a file, found a directory");
      }
      return Files.readString(file);
    }
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(report);
    try (InputStream in = file.getFileSystem(configuration).open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
