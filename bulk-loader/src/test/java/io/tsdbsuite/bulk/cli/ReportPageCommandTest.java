package io.tsdbsuite.bulk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageCommandTest {
  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... arguments) {
    return new BulkLoaderMain(
            new PrintWriter(out, true), new PrintWriter(err, true), Clock.systemUTC())
        .run(arguments);
  }

  private Path report() throws IOException {
    BulkLoaderReport report =
        new BulkLoaderReport("load", Instant.EPOCH)
            .end(ExitCode.OUTSIDE, "HBase is away", "", Instant.EPOCH);
    return Files.writeString(dir.resolve("report.json"), report.report("1", List.of()).jsonText());
  }

  @Test
  void writesThePageBesideTheReport() throws IOException {
    Path report = report();
    Path page = Files.writeString(dir.resolve("report.html"), "older");

    assertThat(run("report-page", "--report=" + report, "--dry-run")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("to " + page).contains("nothing was written");
    assertThat(page).hasContent("older");

    assertThat(run("report-page", "--report=" + report)).isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(page)).contains("HBase is away").contains("</html>");
    assertThat(dir).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void pathsMayBeUris() throws IOException {
    Path page = dir.resolve("p.html");
    assertThat(run("report-page", "--report=" + report().toUri(), "--page=" + page.toUri()))
        .isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(page)).contains("HBase is away");
  }

  @Test
  void refusesWhatIsWrongAtOnce() throws IOException {
    Path other = Files.writeString(dir.resolve("other.json"), "{\"report\":\"rollup-job\"}");
    String page = dir.resolve("none").resolve("p.html").toString();
    assertThat(run("report-page", "--report=" + other, "--page=" + page)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--page must be a file in a directory that exists, found: " + page)
        .contains("--report " + other + " must be a report of bulk-loader");
  }

  @Test
  void refusesWhatIsNoReport() throws IOException {
    Path text = Files.writeString(dir.resolve("a"), "no JSON");
    Path page = dir.resolve("page.html");
    assertThat(run("report-page", "--report=" + text)).isEqualTo(ExitCode.USAGE);
    assertThat(run("report-page", "--report=" + dir.resolve("absent"))).isEqualTo(ExitCode.USAGE);
    assertThat(run("report-page")).isEqualTo(ExitCode.USAGE);
    assertThat(run("report-page", "--report=" + text, "--page=" + text)).isEqualTo(ExitCode.USAGE);
    Path verify =
        Files.writeString(
            dir.resolve("verify.json"), "{\"report\":\"bulk-loader\",\"command\":\"verify\"}");
    assertThat(run("report-page", "--report=" + verify)).isEqualTo(ExitCode.USAGE);
    Path part =
        Files.writeString(
            dir.resolve("part.json"),
            "{\"report\":\"bulk-loader\",\"command\":\"load\",\"counts\":{}}");
    assertThat(run("report-page", "--report=" + part)).isEqualTo(ExitCode.USAGE);
    Path bytes = Files.write(dir.resolve("bytes.json"), new byte[] {(byte) 0xff});
    assertThat(run("report-page", "--report=" + bytes)).isEqualTo(ExitCode.USAGE);
    assertThat(run("report-page", "--report=" + dir)).isEqualTo(ExitCode.USAGE);
    assertThat(run("report-page", "--report=nosuch://a/report.json", "--page=" + page))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("bytes.json must be JSON, found bytes that are not UTF-8")
        .contains("must be a file, found a directory")
        .contains("--report must be a path or a URI, found: nosuch://a/report.json")
        .contains("must be JSON, found")
        .contains("absent cannot be read: there is no such file")
        .contains("--report is required")
        .contains("--page must not be the file of --report")
        .contains("must be the report of a load, found one of verify")
        .contains("its field exitCode must be an integer, found none");
  }
}
