package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Work that is lost amid a run and done again by Spark: tasks that fail, tasks that are run twice,
 * executors that die. The books count everything once, and the topic has every rollup, some twice
 * and then the same.
 */
@Tag("slow")
class LostWorkIT {
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Slow enough that something can happen meanwhile. */
  private static final String[] SLOWLY = {"--max-messages-per-second=500", "--partition-size=0.01"};

  private static SparkCluster cluster;

  private final SmallData data = SmallData.get();
  private final SortedMap<RollupKey, RollupValues> expected =
      data.answers(SmallData.FROM, SmallData.TO);

  @BeforeAll
  static void startSpark() throws Exception {
    cluster = SparkCluster.start(1, SparkCluster.FIRST, SparkCluster.SECOND);
  }

  @AfterAll
  static void stopSpark() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void forget() {
    TaskWatch.clear();
  }

  private JobRun job(RollupTopic topic) {
    return new JobRun(TestFiles.directory(topic.name()))
        .spark(Map.of("spark.extraListeners", TaskWatch.class.getName()))
        .with(data.input(SharedStack.get().hbase().rootDir()))
        .with(SmallData.window(SmallData.FROM, SmallData.TO))
        .with(topic.options())
        .with(SLOWLY);
  }

  private static void awaitMessages(CompletableFuture<JobRun> running, RollupTopic topic) {
    Await.until(
        "the first messages",
        LONG,
        () -> {
          if (running.isDone()) {
            throw new AssertionError("the job has ended: " + running.join().everything());
          }
          return topic.records().size() > 100;
        });
  }

  private void requireAll(CompletableFuture<JobRun> running, RollupTopic topic) throws Exception {
    JobRun run = running.get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(expected.size());
    assertThat(report.at("/messages/acknowledged").intValue()).isEqualTo(expected.size());
    assertThat(report.get("partitionsFinished")).isEqualTo(report.at("/plan/partitions"));
    topic.requireAll(expected);
  }

  /** A broker that stands still for longer than a message may take. */
  @Test
  void aTaskThatFailsIsTriedAgain() throws Exception {
    RollupTopic topic = RollupTopic.create("retried");
    KafkaServer kafka = SharedStack.get().kafka();
    JobRun job =
        job(topic)
            .master("local[2,4]")
            .with("--kafka-property=delivery.timeout.ms=3000")
            .with("--kafka-property=request.timeout.ms=2000");
    CompletableFuture<JobRun> running = CompletableFuture.supplyAsync(job::run);
    awaitMessages(running, topic);
    kafka.suspend();
    try {
      Await.until("a failed task", LONG, () -> !TaskWatch.failures().isEmpty());
    } finally {
      kafka.resume();
    }
    requireAll(running, topic);
    // What the failed attempt had sent came again.
    assertThat(topic.messages().messages()).isGreaterThan(expected.size());
    assertThat(TaskWatch.failures()).anyMatch(failure -> failure.contains(topic.name()));
  }

  @Test
  void anExecutorThatDies() throws Exception {
    RollupTopic topic = RollupTopic.create("lost");
    JobRun job = job(topic).spark(cluster.settings());
    CompletableFuture<JobRun> running = CompletableFuture.supplyAsync(job::run);
    awaitMessages(running, topic);
    ProcessHandle executor = busyExecutor();
    assertThat(executor.destroyForcibly()).isTrue();
    requireAll(running, topic);
    assertThat(TaskWatch.executorsLost()).isPositive();
  }

  private static ProcessHandle busyExecutor() {
    Await.until(
        "a task on the second host", LONG, () -> TaskWatch.hosts().contains(SparkCluster.SECOND));
    return cluster.executor(SparkCluster.SECOND);
  }

  /** An executor that stands still: its task's twin starts on the other host, then both run. */
  @Test
  void aTaskThatIsSlowGetsATwin() throws Exception {
    RollupTopic topic = RollupTopic.create("twins");
    JobRun job =
        job(topic)
            .spark(cluster.settings())
            .spark(
                Map.of(
                    "spark.speculation", "true",
                    "spark.speculation.interval", "100ms",
                    "spark.speculation.quantile", "0.1"));
    CompletableFuture<JobRun> running = CompletableFuture.supplyAsync(job::run);
    awaitMessages(running, topic);
    ProcessHandle executor = busyExecutor();
    SparkCluster.signal(executor, "STOP");
    try {
      Await.until("a twin", LONG, () -> TaskWatch.speculative() > 0);
    } finally {
      SparkCluster.signal(executor, "CONT");
    }
    requireAll(running, topic);
    // The slow one's last messages, too.
    executor.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
    topic.requireAll(expected);
  }
}
