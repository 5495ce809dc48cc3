package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A job that is killed in the middle and run again ends in the state of one that was not. */
class KillAndRepeatIT {
  private final SmallData data = SmallData.get();
  private final String root = SharedStack.get().hbase().rootDir();

  private JobRun job(Path directory, String... more) {
    return new JobRun(directory)
        .with(data.input(root))
        .with(SmallData.window(SmallData.FROM, SmallData.TO))
        .with(more);
  }

  @Test
  void kafka() throws Exception {
    SortedMap<RollupKey, RollupValues> expected = data.answers(SmallData.FROM, SmallData.TO);
    RollupTopic topic = RollupTopic.create("killed");
    Path directory = TestFiles.directory("killed");
    JobRun killed = job(directory, topic.options()).with("--max-messages-per-second=100");
    try (ChildJob child = ChildJob.start(killed, directory)) {
      child.await("the first messages", () -> topic.records().size() > 20);
    }
    assertThat(topic.records()).hasSizeBetween(20, expected.size() / 2);
    assertThat(killed.reportJson().get("state").textValue()).isEqualTo("running");

    JobRun again = job(directory, topic.options()).run();
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
    RollupMessages messages = topic.messages();
    assertThat(messages.messages()).isGreaterThan(expected.size());
    topic.requireAll(expected);
    assertThat(again.reportJson().get("state").textValue()).isEqualTo("ended");
  }

  @Test
  void json() throws Exception {
    Path directory = TestFiles.directory("killed-json");
    // Many small tasks, so that the first file is far from the last.
    JobRun killed = job(directory).json().with("--partition-size=0.001");
    Path temporary = killed.output().resolve("_temporary");
    try (ChildJob child = ChildJob.start(killed, directory)) {
      child.await(
          "the first file", () -> Files.isDirectory(temporary) && !list(temporary).isEmpty());
    }
    assertThat(list(killed.output())).containsExactly("_temporary");

    JobRun refused = job(directory).json().run();
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err().lines()).hasSize(1);
    assertThat(refused.err())
        .contains(
            killed.output().toString(),
            "_temporary",
            "killed or still runs",
            "remove them or choose another");
    assertThat(list(killed.output())).containsExactly("_temporary");

    JobRun elsewhere =
        job(TestFiles.directory("killed-again")).json().with("--partition-size=0.001").run();
    assertThat(elsewhere.exitCode()).as(elsewhere::everything).isEqualTo(ExitCode.DONE);
    assertThat(elsewhere.output().resolve("_SUCCESS")).exists();
    assertThat(elsewhere.reportJson().at("/plan/partitions").intValue()).isGreaterThan(20);
    assertThat(RollupDiff.of(data.answers(SmallData.FROM, SmallData.TO), elsewhere.rollups()))
        .isEmpty();
  }

  private static List<String> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
