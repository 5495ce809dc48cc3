package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.file.Files;
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
    Path rollups =
        Files.writeString(directory.resolve("rollup_config.json"), StreamStack.ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    HourlyPoints data =
        new HourlyPoints("kill", new Points(topics.points(), HourlyPoints.PARTITIONS));
    try (LocalProcess job =
        new LocalProcess(
            directory,
            List.of(
                "--tsd-config=" + conf,
                "--interval=10m,1h",
                "--kafka-bootstrap=" + StreamStack.get().kafka().bootstrapServers(),
                "--input-topics=" + topics.points(),
                "--rollup-topic=" + topics.rollups(),
                "--request-topic=" + topics.requests(),
                "--watermark-topic=" + topics.watermarks(),
                "--start-from=EARLIEST",
                "--checkpoint-interval=1s",
                "--parallelism=2",
                "--state=HEAP"))) {
      job.start();
      for (int kill = 0; kill <= KILLS; kill++) {
        Optional<Path> before = job.newestCheckpoint();
        data.send(kill);
        job.awaitCheckpointAfter(before);
        if (kill < KILLS) {
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
    }
    data.check(topics);
  }
}
