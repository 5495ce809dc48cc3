package io.tsdbsuite.rollup.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command lines of tiers; {@code TiersPlanIT} has their work. */
class TiersCommandTest {
  private static final String ROLLUPS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"r\",\"preAggregationTable\":\"r\",\"interval\":\"1h\","
          + "\"rowSpan\":\"1d\"}]}";

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... args) {
    return new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true)).run(args);
  }

  private ExitCode plan(String policy, String... more) throws IOException {
    return command("plan", policy, more);
  }

  private ExitCode command(String name, String policy, String... more) throws IOException {
    Path conf = Files.writeString(directory.resolve("opentsdb.conf"), "");
    Path file = Files.writeString(directory.resolve("tiers.json"), policy);
    List<String> args =
        new ArrayList<>(
            List.of(
                "tiers",
                name,
                "--policy=" + file,
                "--tsd-config=" + conf,
                "--rollup-config=" + ROLLUPS));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  @Test
  void needsACommand() {
    assertThat(run("tiers")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("tiers needs one of its commands: plan, prove, apply, undo");
  }

  /** The example is one command for a shell. */
  @ParameterizedTest
  @ValueSource(strings = {"plan", "prove", "apply", "undo"})
  void helpHasAnExample(String command) {
    assertThat(run("tiers", command, "--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .containsPattern(
            "\\n  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\\\\\R"
                + "    tiers "
                + command
                + " --.*\\\\\\R")
        .doesNotContain("...[");
  }

  @Test
  void emptyValuesAreTold() throws IOException {
    assertThat(
            run(
                "tiers",
                "apply",
                "--policy=",
                "--proofs=",
                "--snapshot-root=",
                "--hfile-dir=",
                "--tsd-config=",
                "--day=2026-10-02"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--policy must not be empty",
            "--proofs must not be empty",
            "--snapshot-root must not be empty",
            "--hfile-dir must not be empty",
            "--tsd-config must not be empty");
    assertThat(
            plan(
                "[{\"match\":\"*\"}]",
                "--snapshot-root=" + directory.toUri(),
                "--data-snapshot=d",
                "--uid-snapshot=u",
                "--proofs="))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--proofs must be a directory that exists, found:");
  }

  @Test
  void everyProblemIsToldAtOnce() throws IOException {
    assertThat(plan("[{\"match\":\"(a\",\"1w\":\"1y\"}]", "--top=-1", "--price=NaN"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--snapshot-root is required",
            "--data-snapshot is required",
            "--uid-snapshot is required",
            "--top must be 0 or more, found: -1",
            "--price must be a number, 0 or more, found: NaN",
            "tiers.json: entry 1: match must be one pattern",
            "tiers.json: entry 1: a key must be match, idle, raw or an interval");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aPolicyIsNeededAndBounded() throws IOException {
    assertThat(run("tiers", "plan")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--policy is required");
    assertThat(plan(" ".repeat(1 << 20) + "[]")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("must have at most 1048576 bytes, found more");
    Files.delete(directory.resolve("tiers.json"));
    assertThat(
            run(
                "tiers",
                "plan",
                "--policy=" + directory.resolve("tiers.json"),
                "--tsd-config=" + directory.resolve("opentsdb.conf"),
                "--rollup-config=" + ROLLUPS))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("cannot be read: there is no such file");
  }

  @Test
  void proveTellsEveryProblemAtOnce() throws IOException {
    assertThat(
            command(
                "prove",
                "[{\"match\":\"*\",\"raw\":\"1w\"}]",
                "--max-days=0",
                "--max-failed-rows=-1",
                "--proofs=" + directory.resolve("none"),
                "--table=2h",
                "--day=yesterday"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--snapshot-root is required",
            "--data-snapshot is required",
            "--uid-snapshot is required",
            "--against-snapshot is required",
            "--proofs must be a directory that exists, found: " + directory.resolve("none"),
            "--max-days must be 1 or more, found: 0",
            "--max-failed-rows must be 0 or more, found: -1",
            "--day must be a date like 2026-11-19, found: yesterday",
            "--table must be one that the policy limits (raw), found: 2h");
    assertThat(
            command(
                "prove",
                "[{\"match\":\"*\",\"raw\":\"1w\"}]",
                "--snapshot-root=" + directory.toUri(),
                "--data-snapshot=d",
                "--uid-snapshot=u",
                "--against-snapshot=r,r",
                "--proofs=" + directory,
                "--tsd.rollups.tag_raw=true",
                "--tsd.storage.use_otsdb_timestamp=true"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--against-snapshot must not have a snapshot twice, found: r,r",
            "tsd.rollups.tag_raw must be false",
            "tsd.storage.use_otsdb_timestamp must be false");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void thePageHasADirectory() throws IOException {
    Path page = directory.resolve("none").resolve("page.html");
    assertThat(
            plan(
                "[{\"match\":\"*\"}]",
                "--snapshot-root=" + directory.toUri(),
                "--data-snapshot=d",
                "--uid-snapshot=u",
                "--page=" + page))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--page must be a file in a directory that exists, found: " + page);
  }

  @Test
  void everyProblemOfApplyIsToldAtOnce() throws IOException {
    Path conf = Files.writeString(directory.resolve("opentsdb.conf"), "");
    Path file = Files.writeString(directory.resolve("tiers.json"), "[{\"match\":\"(a\"}]");
    assertThat(
            run(
                "tiers",
                "apply",
                "--policy=" + file,
                "--tsd-config=" + conf,
                "--rollup-config=" + ROLLUPS,
                "--from=2026-10-02",
                "--to=2026-10-02",
                "--coverage-pause=soon",
                "--coverage-table=a/b"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--proofs is required",
            "--snapshot-root is required",
            "--hfile-dir is required",
            "--from must be before --to, found: 2026-10-02 and 2026-10-02",
            "--coverage-pause must be a number and one of the units s m h d w n y, like 2m,"
                + " found: soon",
            "--coverage-table must be the name of a table, found: a/b",
            "tiers.json: entry 1: match must be one pattern");
    assertThat(run("tiers", "apply", "--day=2026-10-02", "--to=2026-10-03"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--to does not go with --day");
    assertThat(run("tiers", "apply")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("the days are required: --day, or --from and --to");
  }

  @Test
  void matchIsThatOfAnEntry() throws IOException {
    assertThat(
            command(
                "apply",
                "[{\"match\":\"app.*\",\"raw\":\"1w\"}]",
                "--match=web.*",
                "--day=2026-10-02"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--match must be that of an entry of --policy, found: web.*");
  }

  @Test
  void everyProblemOfUndoIsToldAtOnce() {
    assertThat(run("tiers", "undo", "--coverage-table=a/b")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--from is required",
            "--snapshot-root is required",
            "--hfile-dir is required",
            "--coverage-table must be the name of a table, found: a/b");
  }

  /** They would stay in the tables of histograms and of packed rows. */
  @Test
  void idleSeriesOfOtherTablesStay() throws IOException {
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"),
            "tsd.core.histograms.config={\"io.tsdbsuite.histogram.SketchCodec\":5}");
    Path rollups =
        Files.writeString(
            directory.resolve("rollups.json"),
            """
            {"aggregationIds":{"sum":0,"count":1,"min":2,"max":3},"intervals":[
            {"table":"t","preAggregationTable":"h1h","interval":"1m","rowSpan":"1h",\
            "defaultInterval":true},
            {"table":"r1h","preAggregationTable":"r1h","interval":"1h","rowSpan":"1d"}],
            "suite":{"histograms":[{"metrics":"*","intervals":"1h"}],\
            "histogramTables":{"1h":"h1h"},"packed":{"1h":"p1h"}}}
            """);
    Path policy =
        Files.writeString(directory.resolve("tiers.json"), "[{\"match\":\"*\",\"idle\":\"1y\"}]");
    for (String command : List.of("prove", "apply")) {
      assertThat(
              run(
                  "tiers",
                  command,
                  "--idle",
                  "--policy=" + policy,
                  "--proofs=" + directory,
                  "--tsd-config=" + conf,
                  "--rollup-config=" + rollups))
          .isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .contains(
              "--idle must not be given with suite.histograms in rollup_config.json: idle series"
                  + " go from all tables, and rollup-job deletes none of them from tables of"
                  + " histograms",
              "--idle must not be given with suite.packed in rollup_config.json: idle series");
      err.getBuffer().setLength(0);
    }
  }

  @Test
  void idleSeriesHaveNoTableAndDays() throws IOException {
    assertThat(run("tiers", "apply", "--idle", "--table=1h", "--day=2026-10-02", "--to=2026-10-03"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--table does not go with --idle, found: 1h",
            "--day does not go with --idle, found: 2026-10-02",
            "--to does not go with --idle, found: 2026-10-03")
        .doesNotContain("the days are required", "unexpected");
    assertThat(run("tiers", "undo", "--idle", "--from=2026-10-02")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--from does not go with --idle, found: 2026-10-02", "--hfile-dir is required")
        .doesNotContain("--from is required");
  }
}
