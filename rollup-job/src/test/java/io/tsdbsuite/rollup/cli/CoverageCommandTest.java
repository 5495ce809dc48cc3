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

/** The command lines of coverage; {@code CoverageCommandIT} has their work. */
class CoverageCommandTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... args) {
    return new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true)).run(args);
  }

  private ExitCode coverage(String command, String... more) throws IOException {
    Path conf = Files.writeString(directory.resolve("opentsdb.conf"), "");
    String rollups =
        "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
            + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
            + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
            + "{\"table\":\"r\",\"preAggregationTable\":\"r\",\"interval\":\"1h\","
            + "\"rowSpan\":\"1d\"}]}";
    List<String> args =
        new ArrayList<>(
            List.of("coverage", command, "--tsd-config=" + conf, "--rollup-config=" + rollups));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  @Test
  void needsACommand() {
    assertThat(run("coverage")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("coverage needs one of its commands: list, add, verify, remove");
  }

  @Test
  void helpOfTheGroupAndOfACommand() {
    assertThat(run("coverage", "--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("list", "add", "verify", "remove");
    assertThat(run("coverage", "remove", "--help")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("Usage: rollup-job coverage remove [OPTIONS]");
  }

  @Test
  void everyProblemIsToldAtOnce() throws IOException {
    assertThat(
            coverage(
                "list",
                "--coverage-table=a b",
                "--from=yesterday",
                "--tsd.storage.salt.width=x",
                "--intervall=1h"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--coverage-table must be the name of a table, found: a b")
        .contains("--from must be ISO-8601", "tsd.storage.salt.width", "--intervall");
  }

  @Test
  void removeNeedsBounds() throws IOException {
    assertThat(coverage("remove", "--masks")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("one of --interval, --from, --to, --metric, --writer is required, or --all");
    assertThat(coverage("remove", "--masks", "--writer=w")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--masks does not go with --interval or --writer");
    assertThat(coverage("remove", "--force")).isEqualTo(ExitCode.USAGE);
    assertThat(coverage("remove", "--all", "--writer=w")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--all does not go with --interval");
    assertThat(coverage("remove", "--from=2026-11-20", "--to=2026-11-19"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--from must be before --to, found: 2026-11-20 and 2026-11-19");
  }

  @Test
  void addNeedsAReport() throws IOException {
    assertThat(coverage("add")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--evidence is required");
    assertThat(coverage("add", "--evidence=" + directory.resolve("none.json")))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("none.json: there is no such file");
    Path empty = Files.writeString(directory.resolve("empty.json"), "{}");
    assertThat(coverage("add", "--evidence=" + empty)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("/report must be rollup-job verify, found nothing");
  }

  @Test
  void addReportsItsFailure() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.json"), "{}");
    Path report = directory.resolve("add.json");
    assertThat(coverage("add", "--evidence=" + empty, "--report=" + report))
        .isEqualTo(ExitCode.USAGE);
    String json = Files.readString(report);
    assertThat(
            json.replace(empty.toString(), "EVIDENCE")
                .replaceAll("20[-0-9]*T[:.0-9]*Z", "TIME")
                .replaceAll("(\"message\" : ).*", "$1MESSAGE"))
        .isEqualTo(Files.readString(Path.of("src/test/resources/reports/coverage-add.json")));
    assertThat(json).contains("/report must be rollup-job verify, found nothing");
  }

  @Test
  void verifyNeedsSnapshotsAndAWindow() throws IOException {
    assertThat(coverage("verify")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--snapshot-root is required", "--data-snapshot is required")
        .contains("--uid-snapshot is required", "a window is required")
        .contains("--against-snapshot is required")
        .doesNotContain("--hbase-property", "--against-tsd");
  }
}
