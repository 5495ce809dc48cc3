package io.tsdbsuite.stream.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.stream.cli.StreamMain;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The process, job manager and task manager in one, is killed at drawn instants. */
class KillIT {
  /** Twenty with {@code -Dstream.kills=20}. */
  private static final int KILLS = Integer.getInteger("stream.kills", Seed.times(2, 3));

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Random random = Seed.random();

  @Test
  void everyRollupIsRightAndTheBooksClose() throws Exception {
    JobRun topics = new JobRun("kill", HourlyPoints.PARTITIONS, "10m", "1h");
    Path directory = StreamStack.directory("kill-process");
    try (LocalProcess job = new LocalProcess(directory, topics.arguments(directory))) {
      kill(job, KILLS, "kill", topics);
    }
  }

  /** The checkpoints, and the savepoint of the end, are on S3. */
  @Test
  @Tag("slow")
  void checkpointsOnS3AreEnough() throws Exception {
    JobRun topics = new JobRun("kill-s3", HourlyPoints.PARTITIONS, "10m", "1h");
    Path directory = StreamStack.directory("kill-s3-process");
    S3Server s3 = S3Server.start(directory.resolve("s3"));
    s3.createBucket("state");
    List<String> options = topics.arguments(directory);
    s3.s3aProperties()
        .forEach((key, value) -> options.add("-D" + key.replace("fs.s3a.", "s3.") + "=" + value));
    try (LocalProcess job =
        new LocalProcess(
            directory,
            s3.directory("state").resolve("stream"),
            URI.create("s3://state/stream"),
            options)) {
      kill(job, 1, "kill-s3", topics);
      assertThat(job.log()).contains("savepoint: s3://state/stream/savepoint-");
    } finally {
      s3.stop();
    }
  }

  /** The state of both is lost, and with it the requests that the first had to send. */
  @Test
  void theSecondOfTwoStartsWithoutACheckpointKnowsTheFirst() throws Exception {
    JobRun topics = new JobRun("told", HourlyPoints.PARTITIONS, "10m", "1h");
    Path directory = StreamStack.directory("told-process");
    List<String> options = topics.arguments(directory);
    options.removeIf(option -> option.startsWith("--start-from="));
    options.add("--group=told");
    new HourlyPoints("told", new Points(topics.points(), HourlyPoints.PARTITIONS)).begin();
    // The job before had not read the other partition for long.
    commit(topics, 0);
    long started = System.currentTimeMillis();
    try (LocalProcess job = new LocalProcess(directory, options)) {
      job.start();
      Await.until(
          "the start to be told: " + job.log(),
          StreamStack.PATIENCE,
          () -> !StreamStack.get().kafka().readAll(topics.watermarks()).isEmpty());
    }
    commit(topics, 1);
    StringWriter plan = new StringWriter();
    PrintWriter all = new PrintWriter(plan, true);
    options.addAll(
        List.of("--local", "--dry-run", "--checkpoint-dir=" + directory.resolve("new").toUri()));
    assertThat(new StreamMain(all, all, Clock.systemUTC()).run(options.toArray(String[]::new)))
        .as(plan::toString)
        .isEqualTo(ExitCode.DONE);
    // Half an hour before its first message.
    String first = Instant.ofEpochSecond(HourlyPoints.DAY - 3600 - 1800).toString();
    assertThat(plan.toString())
        .contains("request from       " + first)
        .contains("a job of group told has started without a checkpoint within a day before")
        .contains("that may be missing are not requested, they are left to the nightly run");
    assertThat(StreamStack.get().kafka().readAll(topics.watermarks()))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.key()).isEqualTo("start/told".getBytes(UTF_8));
              JsonNode told = JSON.readTree(message.value());
              assertThat(told.get("type").asText()).isEqualTo("RollupStart");
              assertThat(told.get("completeFrom").asLong()).isGreaterThan(started);
            });
  }

  private static void commit(JobRun topics, int partition) throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", StreamStack.get().kafka().bootstrapServers()))) {
      admin
          .alterConsumerGroupOffsets(
              "told",
              Map.of(new TopicPartition(topics.points(), partition), new OffsetAndMetadata(1)))
          .all()
          .get(5, TimeUnit.MINUTES);
    }
  }

  private void kill(LocalProcess job, int kills, String metric, JobRun topics) throws Exception {
    HourlyPoints data =
        new HourlyPoints(metric, new Points(topics.points(), HourlyPoints.PARTITIONS));
    data.begin();
    job.start();
    // Whatever the topic has before belongs to the hour in which the job starts.
    job.awaitCheckpointAfter(Optional.empty());
    for (int kill = 0; kill <= kills; kill++) {
      Optional<Path> before = job.newestCheckpoint();
      data.send(kill);
      job.awaitCheckpointAfter(before);
      if (kill < kills) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1000));
        assertThat(job.isAlive()).as(job.log()).isTrue();
        job.kill();
        job.start();
      }
    }
    data.end();
    Await.until(
        "the end: " + job.log(),
        StreamStack.PATIENCE,
        () -> new Output(topics).completeTo("1h") >= HourlyPoints.DAY + 86400);
    assertThat(job.stop()).as(job.log()).isZero();
    JsonNode books = JSON.readTree(job.report().toFile());
    assertThat(books.get("booksClose").asBoolean()).isTrue();
    assertThat(books.get("consumed").asLong()).isEqualTo(data.sent());
    data.check(topics);
  }
}
