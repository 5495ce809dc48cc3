package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A job on a real Flink outlives its servers: one story, in which each test goes on. */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FlinkIT {
  private static final String MAIN = CountingJob.class.getName();
  private static FlinkCluster flink;
  private static Path jar;
  private static Path lines;
  private static FlinkJob job;

  @BeforeAll
  static void start() throws Exception {
    Path dir = WorkDirs.fresh("FlinkIT");
    lines = dir.resolve("lines");
    jar = jar(dir.resolve("counting-job.jar"));
    FlinkHome.get();
    long from = System.nanoTime();
    flink =
        FlinkCluster.in(dir)
            .slots(2)
            .taskHeap(128)
            .conf(Map.of("execution.checkpointing.interval", "200ms"))
            .start();
    print("JobManager and TaskManager", from);
  }

  @AfterAll
  static void close() throws IOException {
    flink.close();
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  /** The job's classes without any library, as users build their jars. */
  private static Path jar(Path file) throws Exception {
    Path classes =
        Path.of(CountingJob.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jarFile = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path each :
          files.filter(path -> path.getFileName().toString().startsWith("CountingJob")).toList()) {
        jarFile.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, jarFile);
      }
    }
    return file;
  }

  private static void print(String what, long from) {
    System.out.printf("flink: %s: %d ms%n", what, (System.nanoTime() - from) / 1_000_000);
  }

  private static void printMemory() throws IOException {
    for (FlinkServer server : List.of(flink.jobManager(), flink.taskManager(0))) {
      try (Stream<String> status =
          Files.lines(Path.of("/proc", Long.toString(server.pid()), "status"))) {
        status
            .filter(line -> line.startsWith("VmRSS"))
            .forEach(line -> System.out.println("flink: " + server.name() + " " + line));
      }
    }
  }

  /** The number of the last line with this word. A lost job may close its task later. */
  private static long last(String word) throws IOException {
    List<String> all =
        Files.readAllLines(lines).stream().filter(line -> line.startsWith(word + " ")).toList();
    assertThat(all).as(word).isNotEmpty();
    return Long.parseLong(all.get(all.size() - 1).substring(word.length() + 1));
  }

  @Test
  @Order(1)
  void aProgramThatFailsSaysWhy() {
    assertThatThrownBy(() -> flink.submit(jar, MAIN))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("exit code 1")
        .hasMessageContaining("the file is missing");
  }

  @Test
  @Order(2)
  void aJobRunsAndIsMeasured() throws IOException {
    long from = System.nanoTime();
    job = flink.submit(jar, MAIN, lines.toString());
    job.awaitRunning();
    print("submitted and running", from);
    assertThat(last("started")).isZero();
    job.awaitCheckpoint();
    assertThat(job.restores()).isZero();
    Await.until(
        "a count of 100",
        Duration.ofMinutes(1),
        () -> job.metric("numbersCounted").orElse(0) >= 100);
    assertThat(job.metric("unknown")).isEmpty();
    assertThat(job.savepoint().resolve("_metadata")).exists();
    assertThat(flink.flink("list").lines(job.id())).hasSize(1);
  }

  @Test
  @Order(3)
  void itGoesOnAfterItsTaskManagerWasKilled() throws IOException {
    job.awaitCheckpoint();
    long from = System.nanoTime();
    flink.taskManager(0).kill();
    assertThat(flink.taskManager(0).isAlive()).isFalse();
    flink.taskManager(0).start();
    print("TaskManager after kill", from);
    job.awaitRestores(1);
    job.awaitRunning();
    print("job after kill of the TaskManager", from);
    assertThat(last("restored")).isGreaterThanOrEqualTo(100);
    job.awaitCheckpoint();
    assertThat(job.failure()).contains("taskmanager-0-1");
  }

  @Test
  @Order(4)
  void aJobGoesOnFromItsCheckpointAfterTheJobManagerWasKilled() throws IOException {
    long before = last("restored");
    FlinkJob lost = job;
    long from = System.nanoTime();
    flink.jobManager().kill();
    assertThatThrownBy(lost::state)
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("did not answer");
    flink.jobManager().start();
    print("JobManager after kill, with its TaskManager", from);
    assertThatThrownBy(lost::state)
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("answered 404");
    job = flink.resume(lost.latestCheckpoint(), jar, MAIN, lines.toString());
    job.awaitRunning();
    print("job after kill of the JobManager", from);
    assertThat(job.id()).isNotEqualTo(lost.id());
    assertThat(job.restores()).isEqualTo(1);
    assertThat(last("restored")).isGreaterThan(before);
  }

  @Test
  @Order(5)
  void aStoppedJobGoesOnFromItsSavepoint() throws IOException {
    job.awaitCheckpoint();
    Path state = job.stop();
    job.awaitState("FINISHED");
    long stopped = last("closed");
    job = flink.resume(state, jar, MAIN, lines.toString());
    job.awaitRunning();
    // Not one number is counted twice or is missing.
    assertThat(last("restored")).isEqualTo(stopped);
    printMemory();
    job.cancel();
    assertThat(job.state()).isEqualTo("CANCELED");
  }

  @Test
  @Order(6)
  void theServersStopCleanly() {
    // A stop that is not clean throws.
    flink.taskManager(0).stop();
    flink.jobManager().stop();
    assertThat(FreePorts.isFree(flink.rest().getPort())).isTrue();
  }

  @Test
  void aWrongConfigurationIsNamed() {
    assertThatThrownBy(
            () ->
                FlinkCluster.in(WorkDirs.fresh("FlinkIT-wrong"))
                    .conf(Map.of("heartbeat.interval", "nonsense"))
                    .start())
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("jobmanager ended while it started")
        .hasMessageContaining("nonsense");
    assertThat(ProcessHandle.current().children())
        .extracting(ProcessHandle::pid)
        .isSubsetOf(flink.jobManager().pid(), flink.taskManager(0).pid());
  }
}
