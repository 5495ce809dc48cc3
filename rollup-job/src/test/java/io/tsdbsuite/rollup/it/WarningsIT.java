package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.junit.jupiter.api.Test;

/** Runs that end well though an operator should know something. */
class WarningsIT {
  private static final String UNFLUSHED = "small-unflushed";
  private static final long YEAR_2100 = 4102444800L;

  private final SmallData data = SmallData.get();
  private final HBaseServer hbase = SharedStack.get().hbase();

  private JobRun run(String dataSnapshot, long to, String... more) {
    return new JobRun(TestFiles.directory("warnings"))
        .json()
        .with(data.input(hbase.rootDir(), dataSnapshot, SmallData.UID_SNAPSHOT))
        .with(SmallData.window(SmallData.FROM, to))
        .with(more)
        .run();
  }

  private List<String> warnings(String dataSnapshot, long to, String... more) throws IOException {
    JobRun run = run(dataSnapshot, to, more);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    List<String> warnings = new ArrayList<>();
    for (JsonNode warning : run.reportJson().get("warnings")) {
      warnings.add(warning.textValue());
    }
    return warnings;
  }

  @Test
  void nothingToSay() throws IOException {
    assertThat(warnings(SmallData.DATA_SNAPSHOT, SmallData.TO)).isEmpty();
  }

  /** A first look at what the job makes, before the TSDs know rollups. */
  @Test
  void jsonNeedsNoRollupConfiguration() throws Exception {
    Path directory = TestFiles.directory("no-rollup-config");
    List<String> keys =
        Files.readAllLines(data.configFile()).stream()
            .filter(line -> !line.startsWith("tsd.rollups."))
            .toList();
    Path conf = Files.write(directory.resolve("opentsdb.conf"), keys);
    List<String> input =
        Stream.of(data.input(hbase.rootDir()))
            .filter(option -> !option.startsWith("--rollup-config="))
            .map(option -> option.startsWith("--tsd-config=") ? "--tsd-config=" + conf : option)
            .toList();
    JobRun run =
        new JobRun(directory)
            .json()
            .with(input.toArray(String[]::new))
            .with(SmallData.window(SmallData.START, SmallData.END))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(data.answers(SmallData.START, SmallData.END), run.rollups()))
        .isEmpty();
    assertThat(run.err())
        .contains("a TSD stores and queries rollups only with tsd.rollups.enable = true");
  }

  @Test
  void planAndReportNameTheNewestEnd() throws IOException {
    JobRun run =
        new JobRun(TestFiles.directory("hold-back"))
            .json()
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--hold-back=36h")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    String newestEnd = report.at("/window/newestEnd").textValue();
    assertThat(report.at("/window/holdBackSeconds").longValue()).isEqualTo(36 * SmallData.HOUR);
    assertThat(Instant.parse(newestEnd))
        .isBefore(Instant.parse(report.get("started").textValue()).minus(Duration.ofHours(35)));
    assertThat(run.out()).contains("36h before the snapshot, no bucket after " + newestEnd);
    JobRun plan =
        new JobRun(TestFiles.directory("hold-back-plan"))
            .json()
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--dry-run", "--hold-back=36h")
            .run();
    assertThat(plan.out()).containsPattern("hold-back +36h before the snapshot, no bucket after ");
  }

  /** A dry run needs no topic, but says what would end a run. */
  @Test
  void aDryRunWarnsOfKafkaSettingsThatARunRefuses() throws IOException {
    JobRun plan =
        new JobRun(TestFiles.directory("kafka-settings"))
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--dry-run", "--kafka-config=/no-such.properties")
            .run();
    assertThat(plan.err()).contains("a run would be refused: --kafka-config /no-such.properties");
    assertThat(plan.out()).contains("no data was read");
  }

  @Test
  void planAndReportSayThatDelaySlaIsTooShort() throws IOException {
    Path directory = TestFiles.directory("delay-sla");
    Path rollups =
        Files.writeString(
            directory.resolve("rollup_config.json"),
            Files.readString(data.rollupConfig(), StandardCharsets.UTF_8)
                .replace("\"interval\":\"1h\"", "\"interval\":\"1h\",\"delaySla\":\"1h\""),
            StandardCharsets.UTF_8);
    String config = "--rollup-config=" + rollups;
    for (String[] more : new String[][] {{"--dry-run"}, {}}) {
      JobRun run =
          new JobRun(TestFiles.directory("delay-sla"))
              .json()
              .with(
                  Stream.of(data.input(hbase.rootDir()))
                      .map(arg -> arg.startsWith("--rollup-config") ? config : arg)
                      .toArray(String[]::new))
              .with(SmallData.window(SmallData.FROM, SmallData.TO))
              .with(more)
              .run();
      assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
      assertThat(run.out() + run.err()).contains("the delaySla of 1h, 1h, must be more than ");
    }
  }

  /** Before the first point, of a table that has many. */
  @Test
  void nothingOfATableWithDataIsNoGoodEnd() throws IOException {
    long from = SmallData.START - 10 * SmallData.DAY;
    JobRun run =
        new JobRun(TestFiles.directory("nothing"))
            .json()
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(from, from + SmallData.DAY))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains("nothing was emitted though table " + SmallData.TABLE + " has data")
        .contains("--allow-empty");
    assertThat(run.output().resolve("_SUCCESS")).doesNotExist();
    JobRun allowed =
        new JobRun(TestFiles.directory("nothing-allowed"))
            .json()
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(from, from + SmallData.DAY))
            .with("--allow-empty")
            .run();
    assertThat(allowed.exitCode()).as(allowed::everything).isEqualTo(ExitCode.DONE);
  }

  private JobRun afterTheSnapshot(String... more) {
    return new JobRun(TestFiles.directory("after"))
        .json()
        .now(Instant.ofEpochSecond(YEAR_2100 + SmallData.DAY))
        .with(data.input(hbase.rootDir()))
        .with(SmallData.window(SmallData.FROM, YEAR_2100))
        .with(more)
        .run();
  }

  /** Long ago, but what came after the snapshot cannot be in it. */
  @Test
  void aWindowThatEndsAfterTheSnapshotIsRefused() {
    for (String[] more : new String[][] {{}, {"--dry-run"}, {"--hold-back=0s"}}) {
      JobRun run = afterTheSnapshot(more);
      assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
      assertThat(run.err())
          .contains(
              "the window 2025-11-19T00:00:00Z to 2100-01-01T00:00:00Z must end",
              "(--hold-back) before the data snapshot was taken, ",
              "the newest allowed with this snapshot is --to ",
              "--allow-incomplete")
          .doesNotContain("Exception");
      assertThat(run.output()).doesNotExist();
    }
  }

  @Test
  void aWindowThatEndsAfterTheSnapshotCanBeAllowed() throws IOException {
    assertThat(warnings(SmallData.DATA_SNAPSHOT, YEAR_2100, "--allow-incomplete"))
        .singleElement()
        .asString()
        .contains("ends after the snapshot was taken");
  }

  @Test
  void aSnapshotWithoutFlushThatIsYoungerThanTheNames() throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.snapshot(
          new SnapshotDescription(
              UNFLUSHED, TableName.valueOf(SmallData.TABLE), SnapshotType.SKIPFLUSH));
    }
    JobRun refused = run(UNFLUSHED, SmallData.TO);
    assertThat(refused.exitCode()).as(refused::everything).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains(UNFLUSHED, "SKIP_FLUSH", "--allow-skip-flush");
    assertThat(refused.output()).doesNotExist();
    assertThat(warnings(UNFLUSHED, SmallData.TO, "--allow-skip-flush"))
        .anyMatch(warning -> warning.contains("SKIP_FLUSH"))
        .anyMatch(warning -> warning.contains("older than the data snapshot"));
  }
}
