package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.seed.Seed;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The process, job manager and task manager in one, is killed at drawn instants. */
class KillIT {
  /** Twenty with {@code -Dstream.kills=20}. */
  private static final int KILLS = Integer.getInteger("stream.kills", 3);

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

  private void kill(LocalProcess job, int kills, String metric, JobRun topics) throws Exception {
    HourlyPoints data =
        new HourlyPoints(metric, new Points(topics.points(), HourlyPoints.PARTITIONS));
    data.begin();
    job.start();
    for (int kill = 0; kill <= kills; kill++) {
      Optional<Path> before = job.newestCheckpoint();
      data.send(kill);
      job.awaitCheckpointAfter(before);
      if (kill < kills) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1000));
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
