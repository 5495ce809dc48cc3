package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands whose HBase pauses, or ends and comes back. */
@Tag("slow")
class ServerEndsIT {
  private static final int ROWS = 2_000;

  /** Of each row: enough for several ranges of rows. */
  private static final int POINTS = 40;

  /** More than HBase's clients wait for ZooKeeper by default. */
  private static final int PAUSE_SECONDS = 12;

  private static Stack stack;

  @BeforeAll
  static void start() {
    stack = Stack.in(WorkDirs.fresh("server-ends")).hbase().start();
  }

  @AfterAll
  static void end() {
    stack.close();
  }

  private static List<String> command(
      String command, Path dir, String test, String work, String... more) throws IOException {
    Path config = dir.resolve("opentsdb.conf");
    if (!Files.exists(config)) {
      Map<String, String> conf = LoaderStack.conf(test);
      stack.create(OpenTsdbTables.of(conf));
      StringBuilder text = new StringBuilder();
      text.append("tsd.storage.hbase.zk_quorum = ").append(stack.hbase().zkQuorum()).append('\n');
      conf.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
      Files.writeString(config, text);
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                command,
                "--tsd-config=" + config,
                "--work-dir=" + dir.resolve(work),
                "--progress=none",
                "--threads=1"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static Path input(Path dir) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int hour = 0; hour < ROWS; hour++) {
      for (int minute = 0; minute < POINTS; minute++) {
        long second = 1_500_001_200L + hour * 3600L + minute * 60L;
        lines.append("end.m ").append(second).append(" 1.5 host=a\n");
      }
    }
    return Files.writeString(dir.resolve("in.txt"), lines);
  }

  private static Loader.Outcome run(Clock clock, List<String> arguments, Path input) {
    List<String> all = new ArrayList<>(arguments);
    all.add("--input");
    all.add(input.toString());
    return Loader.run(clock, all.toArray(String[]::new));
  }

  /** The test's file system loses what is not flushed with its server, the log included. */
  @Test
  void whatAServerAcknowledgedBeforeItEndedIsWrittenByTheResume() throws Exception {
    String test = "lost";
    Path dir = WorkDirs.fresh(test);
    Path input = input(dir);
    HBaseServer hbase = stack.hbase();
    List<String> load =
        command(
            "load",
            dir,
            test,
            "work",
            "--wal=async",
            "--max-rows-per-second=50",
            "--hbase-property=hbase.client.retries.number=3",
            "--hbase-property=hbase.client.operation.timeout=5000",
            "--hbase-property=hbase.client.meta.operation.timeout=5000",
            "--hbase-property=zookeeper.registry.async.get.timeout=5000");
    Path work = dir.resolve("work");
    CompletableFuture<Loader.Outcome> loading =
        CompletableFuture.supplyAsync(() -> run(Clock.systemUTC(), load, input));
    Await.until(
        "rows that are acknowledged",
        Duration.ofMinutes(1),
        () ->
            Files.exists(work.resolve("journal"))
                && Files.readString(work.resolve("journal")).contains("RowsAcknowledged"));
    hbase.flush(test + "-uid");
    hbase.kill();
    Loader.Outcome failed = loading.get(5, TimeUnit.MINUTES);
    assertThat(failed.code()).as(failed.err()).isEqualTo(ExitCode.OUTSIDE);

    hbase.start();
    Loader.Outcome resumed =
        Loader.run("resume", "--work-dir=" + work, "--max-rows-per-second=0", "--progress=none");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.DONE);
    JsonNode report = new ObjectMapper().readTree(work.resolve("report.json").toFile());
    assertThat(report.path("counts").path("pointsWritten").asLong())
        .isEqualTo((long) POINTS * ROWS);
    assertThat(report.path("warnings").toString()).contains("ended").contains("--wal async");
    Loader.Outcome verified = run(Clock.systemUTC(), command("verify", dir, test, "verify"), input);
    assertThat(verified.code()).as(verified.out()).isEqualTo(ExitCode.DONE);
    assertThat(hbase.digest(test + "-tsdb").cells()).isEqualTo(ROWS);
  }

  @Test
  void aBulkLoadWaitsForAnHBaseThatPauses() throws Exception {
    String test = "paused";
    Path dir = WorkDirs.fresh(test);
    Path input = input(dir);
    HBaseServer hbase = stack.hbase();
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    List<Future<?>> resumed = new ArrayList<>();
    // The write ends, the second look begins and ends, the bulk load begins.
    StepClock clock =
        new StepClock(
            dir.resolve("work"),
            "RowsAcknowledged",
            3,
            () -> {
              hbase.suspend();
              resumed.add(later.schedule(hbase::resume, PAUSE_SECONDS, TimeUnit.SECONDS));
            });
    try {
      List<String> load =
          command(
              "load",
              dir,
              test,
              "work",
              "--mode=hfile",
              "--hfile-dir=" + hbase.rootDir() + "/load/paused");
      Loader.Outcome loaded = run(clock, load, input);
      assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
      assertThat(resumed).hasSize(1);
    } finally {
      later.shutdown();
      assertThat(later.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(hbase.digest(test + "-tsdb").cells()).isEqualTo(ROWS);
  }
}
