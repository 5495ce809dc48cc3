package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  private List<String> warnings(String dataSnapshot, long to) throws IOException {
    JobRun run =
        new JobRun(TestFiles.directory("warnings"))
            .json()
            .with(data.input(hbase.rootDir(), dataSnapshot, SmallData.UID_SNAPSHOT))
            .with(SmallData.window(SmallData.FROM, to))
            .run();
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

  @Test
  void planAndReportNameTheSplitPoint() throws IOException {
    JobRun run =
        new JobRun(TestFiles.directory("hold-back"))
            .json()
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--hold-back=36h")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    String splitPoint = report.at("/window/splitPoint").textValue();
    assertThat(report.at("/window/holdBackSeconds").longValue()).isEqualTo(36 * SmallData.HOUR);
    assertThat(Instant.parse(splitPoint))
        .isBefore(Instant.parse(report.get("started").textValue()).minus(Duration.ofHours(35)));
    assertThat(run.out()).contains("36h, no bucket after " + splitPoint);
    JobRun plan =
        new JobRun(TestFiles.directory("hold-back-plan"))
            .json()
            .with(data.input(hbase.rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--dry-run", "--hold-back=36h")
            .run();
    assertThat(plan.out()).containsPattern("hold-back +36h, no bucket after ");
  }

  @Test
  void aWindowThatEndsAfterTheSnapshot() throws IOException {
    assertThat(warnings(SmallData.DATA_SNAPSHOT, YEAR_2100))
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
    assertThat(warnings(UNFLUSHED, SmallData.TO))
        .anyMatch(warning -> warning.contains("SKIP_FLUSH"))
        .anyMatch(warning -> warning.contains("older than the data snapshot"));
  }
}
