package io.tsdbsuite.rollup.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command line of prune; {@code PruneJobTest} has its work. */
class PruneCommandTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... args) {
    return new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true), Clock.systemUTC())
        .run(args);
  }

  @Test
  void everyProblemIsToldAtOnce() {
    assertThat(
            run(
                "prune",
                "--table=a:b:c",
                "--table=tsdb",
                "--table=default:tsdb",
                "--snapshot-pattern={date}",
                "--keep-weeks=-1",
                "--grace=59m",
                "--tsd.storage.salt.width=1"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--snapshot-root is required",
            "--table must be the name of an HBase table, found: a:b:c",
            "--table must be another one each time, found twice: default:tsdb",
            "--snapshot-pattern must have {table} and {date}, each once",
            "--keep-weeks must be 0 or more, found: -1",
            "one of --keep-days, --keep-weeks, --keep-months must be 1 or more",
            "--grace must be a number and one of the units s m h d w n y, from 1h to 3650d, found:"
                + " 59m",
            "--tsd.storage.salt.width");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aDryRunDeletesNothing() {
    assertThat(
            run(
                "prune",
                "--snapshot-root=file:///backup",
                "--table=tsdb",
                "--keep-days=1",
                "--delete",
                "--dry-run"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--delete and --dry-run exclude each other, found both");
  }

  @Test
  void tablesAreRequired() {
    assertThat(run("prune", "--snapshot-root=file:///backup", "--keep-days=1"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--table is required, once for each table of a night");
  }

  /** rollup-aws has the same rule, and is tested with the same values. */
  private static List<String> graces(String kind) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("src", "test", "resources", "graces.txt"))) {
      return lines
          .filter(line -> line.startsWith(kind + " "))
          .map(line -> line.substring(kind.length() + 1))
          .toList();
    }
  }

  static List<String> refusedGraces() throws IOException {
    return graces("refused");
  }

  static List<String> validGraces() throws IOException {
    return graces("valid");
  }

  @ParameterizedTest
  @MethodSource("refusedGraces")
  void theGraceIsBounded(String grace) {
    assertThat(
            run(
                "prune",
                "--snapshot-root=" + directory.toUri(),
                "--table=tsdb",
                "--keep-days=1",
                "--grace=" + grace))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("from 1h to 3650d, found: " + grace);
  }

  @ParameterizedTest
  @MethodSource("validGraces")
  void theBoundsOfTheGraceAreValid(String grace) {
    run(
        "prune",
        "--snapshot-root=" + directory.toUri(),
        "--table=tsdb",
        "--keep-days=1",
        "--grace=" + grace);
    assertThat(err.toString()).startsWith("rollup-job prune: --snapshot-root must be a target");
  }

  @Test
  void aFailedRunHasAReport() throws IOException {
    Path report = directory.resolve("report.json");
    assertThat(
            run(
                "prune",
                "--snapshot-root=" + directory.toUri(),
                "--table=tsdb",
                "--keep-days=1",
                "--report=" + report))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("rollup-job prune: --snapshot-root must be a target of ExportSnapshot")
        .contains("Nothing was deleted.");
    assertThat(Files.readString(report))
        .contains("\"report\" : \"rollup-job prune\"")
        .contains("\"exitCode\" : 2")
        .contains("\"booksClose\" : false");
  }
}
