package io.tsdbsuite.bulk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Wrong use: everything at once, nothing touched. */
class CommandLineTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);

  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... arguments) {
    return new BulkLoaderMain(new PrintWriter(out, true), new PrintWriter(err, true), CLOCK)
        .run(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"load", "resume", "verify", "plan", "generate", "report-page"})
  void helpOfEachCommand(String command) {
    assertThat(run(command, "--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("Usage: bulk-loader " + command);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void exitCodesOfTheHelp() {
    assertThat(run("--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains(" 4 too little memory (the message says so), or a defect of bulk-loader: ");
  }

  @Test
  void noCommand() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("a command is required");
  }

  @Test
  void allProblemsAtOnce() throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "tsd.storage.salt.width=9\n");
    assertThat(
            run(
                "load",
                "--tsd-config=" + config,
                "--mode=fast",
                "--threads=0",
                "--max-rejected=-1",
                "--cell-timestamp=yesterday",
                "--coverage-table=a-b:c",
                "--format=xml",
                "--fast",
                "--memory=1x"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--input is required")
        .contains("tsd.storage.salt.width: must be a whole number from 0 to 8, found '9'")
        .contains("'--mode'")
        .contains("--threads must be 1 or more, found: 0")
        .contains("--max-rejected must be a number of points, 0 or more")
        .contains("--cell-timestamp must be now, data or milliseconds since the epoch")
        .contains("--coverage-table must be the name of a table, found: a-b:c")
        .contains(
            "--format must be one of auto, opentsdb, json, influx, prometheus, openmetrics,"
                + " victoriametrics, graphite, found: xml")
        .contains("--fast")
        .contains("--memory");
  }

  @ParameterizedTest
  @CsvSource({
    "load, --input in.txt --mod put",
    "verify, --input in.txt --mod put",
    "plan, --input in.txt --mod put",
    "spark-load, --input in.txt --mod put",
    "resume, --work-dir --mod put",
    "generate, --metric --mod put"
  })
  void aMisspelledOptionIsNoValueOfTheOptionBefore(String command, String arguments) {
    String[] line = (command + " " + arguments).split(" ");
    assertThat(run(line)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Unknown option: '--mod'").doesNotContain("no such file");
  }

  /** A comparison that failed asks for a resume, as every work directory that is not done. */
  @Test
  void aResumeOfAComparisonIsRefused() {
    try (WorkDir work = WorkDir.create(dir.resolve("work"))) {
      work.journal()
          .append(
              new JournalEvent.Started("verify", "", List.of("verify"), Map.of(), 0, List.of()));
    }
    assertThat(run("resume", "--work-dir=" + dir.resolve("work")))
        .as(err.toString())
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("must be of a load, found one of: bulk-loader verify");
  }

  @Test
  void aFileNameMayBeginWithAHyphen() {
    assertThat(inputs("load", "--input", "-", "./-name", "--mode", "put"))
        .containsExactly("-", "./-name");
  }

  private static List<String> inputs(String... arguments) {
    CommandLine.ParseResult load = CommandLines.create().parseArgs(arguments).subcommand();
    assertThat(load.errors()).isEmpty();
    return ((LoadCommand) load.commandSpec().userObject()).input.inputs;
  }

  @Test
  void whatWouldPassForGoodAtFirst() throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "");
    String[] arguments = {
      "load",
      "--tsd-config=" + config,
      "--cell-timestamp=" + CLOCK.instant().plusSeconds(1).toEpochMilli(),
      "--influx-database= ",
      "--work-dir=" + dir.resolve("sub").resolve("work"),
      "--input",
      dir.toString()
    };
    assertThat(run(arguments)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--cell-timestamp must not lie in the future")
        .contains("--influx-database must be a name, found: ' '")
        .contains("--work-dir must not be below a directory of --input, found: " + dir);
    assertThat(dir.resolve("sub")).doesNotExist();
  }

  @Test
  void aReportMustHaveADirectoryBeforeTheLoadBegins() throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "");
    Path input = Files.writeString(dir.resolve("in"), "m 1 1 a=b\n");
    String report = dir.resolve("none").resolve("r.json").toString();
    String[] arguments = {
      "load",
      "--tsd-config=" + config,
      "--work-dir=" + dir.resolve("work"),
      "--report=" + report,
      "--threads=0",
      "--input",
      input.toString()
    };
    assertThat(run(arguments)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--report must be a file in a directory that exists, found: " + report)
        .contains("--threads must be 1 or more");
    assertThat(dir.resolve("work")).doesNotExist();
  }

  @Test
  void hfilesNeedADirectory() throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "");
    Path input = Files.writeString(dir.resolve("in"), "m 1 1 a=b\n");
    assertThat(run("load", "--tsd-config=" + config, "--mode=hfile", "--input", input.toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--hfile-dir (with --mode hfile) is required");
  }
}
