package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that is killed in the middle and run again ends in the state of one that was not. */
class KillAndRepeatIT {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final SmallData data = SmallData.get();
  private final String root = SharedStack.get().hbase().rootDir();
  private Process child;

  @AfterEach
  void endChild() throws InterruptedException {
    if (child != null) {
      kill();
    }
  }

  /** The job in a JVM of its own, as spark-submit starts it. */
  private void start(JobRun job, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx512m",
            "-Djava.io.tmpdir=" + Files.createDirectories(log.resolveSibling("tmp")),
            "-Dspark.master=local[2]",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-cp",
            System.getProperty("java.class.path"),
            RollupMain.class.getName()));
    command.addAll(job.arguments());
    child =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private void kill() throws InterruptedException {
    assertThat(child.destroyForcibly().waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void requireRunning(Path log) throws IOException {
    if (!child.isAlive()) {
      throw new AssertionError("the job has ended: " + Files.readString(log));
    }
  }

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
    Path log = directory.resolve("job.log");
    start(job(directory, topic.options()).with("--max-messages-per-second=100"), log);
    Await.until(
        "the first messages",
        LONG,
        () -> {
          requireRunning(log);
          return topic.records().size() > 20;
        });
    kill();
    assertThat(topic.records()).hasSizeBetween(20, expected.size() / 2);
    assertThat(directory.resolve("report.json")).doesNotExist();

    JobRun again = job(directory, topic.options()).run();
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
    RollupMessages messages = topic.messages();
    assertThat(messages.messages()).isGreaterThan(expected.size());
    assertThat(RollupDiff.of(expected, messages.rollups())).isEmpty();
    // What came twice was the same both times, byte for byte.
    Set<String> distinct =
        topic.records().stream()
            .map(r -> text(r.key()) + " in " + r.partition() + ": " + text(r.value()))
            .collect(Collectors.toSet());
    assertThat(distinct).hasSize(expected.size());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void json() throws Exception {
    Path directory = TestFiles.directory("killed-json");
    Path log = directory.resolve("job.log");
    // Many small tasks, so that the first file is far from the last.
    JobRun killed = job(directory).json().with("--partition-size=0.001");
    start(killed, log);
    Path temporary = killed.output().resolve("_temporary");
    Await.until(
        "the first file",
        LONG,
        () -> {
          requireRunning(log);
          return Files.isDirectory(temporary) && !list(temporary).isEmpty();
        });
    kill();
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
