package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An executor that dies takes with it what it has shuffled: its partitions are read again. */
@Tag("slow")
class HFileLostIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final long FROM = SmallData.FROM;
  private static final long TO = SmallData.TO;

  /** Of 26, so that the executor has shuffled some and others are left. */
  private static final int TASKS = 12;

  @Test
  void anExecutorThatDies() throws Exception {
    TaskWatch.clear();
    try (RollupStore store = RollupStore.start("hf-lost", "1h");
        SparkCluster cluster = SparkCluster.start(1, SparkCluster.FIRST, SparkCluster.SECOND)) {
      Path directory = TestFiles.directory("hfile-lost");
      JobRun job =
          store
              .job(directory, FROM, TO)
              .with("--partition-size=0.001")
              .spark(cluster.settings())
              .spark(Map.of("spark.extraListeners", TaskWatch.class.getName()));
      CompletableFuture<JobRun> running = CompletableFuture.supplyAsync(job::run);
      Await.until(
          "some tasks",
          LONG,
          () -> {
            if (running.isDone()) {
              throw new AssertionError("the job has ended: " + running.join().everything());
            }
            return TaskWatch.hosts().size() > TASKS
                && TaskWatch.hosts().contains(SparkCluster.SECOND);
          });
      assertThat(cluster.executor(SparkCluster.SECOND).destroyForcibly()).isTrue();
      JobRun run = running.get(LONG.toSeconds(), TimeUnit.SECONDS);
      assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
      assertThat(TaskWatch.executorsLost()).isPositive();
      JsonNode report = run.reportJson();
      assertThat(report.get("booksClose").booleanValue()).isTrue();
      int rollups = store.rawAnswers("1h", FROM, TO).size();
      assertThat(report.at("/rows/emitted").intValue()).isEqualTo(rollups);
      assertThat(report.at("/messages/acknowledged").intValue()).isEqualTo(4 * rollups);
      LoadRun load = LoadRun.of(LoadRun.runDirectory(directory), store.configFile());
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
      assertThat(RollupDiff.of(store.rawAnswers("1h", FROM, TO), store.answers("1h", FROM, TO)))
          .isEmpty();
    }
  }
}
