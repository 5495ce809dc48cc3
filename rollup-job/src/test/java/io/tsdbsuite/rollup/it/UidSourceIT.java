package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import org.junit.jupiter.api.Test;

/** Names from a live HBase are those of the UID snapshot. */
class UidSourceIT {
  private final SmallData data = SmallData.get();
  private final String root = SharedStack.get().hbase().rootDir();

  @Test
  void liveHBaseAndSnapshotGiveTheSame() throws Exception {
    JobRun snapshot = run(new JobRun(TestFiles.directory("uid-snapshot")).with(data.input(root)));
    JobRun live =
        run(
            new JobRun(TestFiles.directory("uid-hbase"))
                .with(
                    "--snapshot-root=" + root,
                    "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
                    "--uid-source=hbase",
                    "--tsd-config=" + data.configFile(),
                    "--rollup-config=" + data.rollupConfig()));
    assertThat(live.rollups()).isEqualTo(snapshot.rollups());
    assertThat(RollupDiff.of(data.answers(SmallData.FROM, SmallData.TO), live.rollups())).isEmpty();
    JsonNode report = live.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.get("input").has("uidSnapshot")).isFalse();
    assertThat(snapshot.reportJson().get("input").has("uidSnapshot")).isTrue();
  }

  @Test
  void widthsThatDoNotFitTheLiveTableAreRefused() {
    JobRun run =
        new JobRun(TestFiles.directory("uid-width"))
            .json()
            .with(
                "--snapshot-root=" + root,
                "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
                "--uid-source=hbase",
                "--tsd-config=" + data.configFile(),
                "--rollup-config=" + data.rollupConfig(),
                "--tsd.storage.uid.width.tagv=4")
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("tagv UID 000001 of 3 bytes, but the schema says 4 bytes")
        .contains("tsd.storage.uid.width.tagv");
    assertThat(run.output()).doesNotExist();
  }

  private static JobRun run(JobRun job) {
    JobRun run =
        job.json()
            .with("--metrics=a.*")
            .with("--metrics=b.?")
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return run;
  }
}
