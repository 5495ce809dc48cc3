package io.tsdbsuite.quickstart.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.quickstart.ingest.Topics;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.LocalFlinkJob;
import io.tsdbsuite.testkit.ServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** {@code stream-rollup --local} in its own process. */
public final class StreamRollup implements AutoCloseable {
  /** The intervals that it makes. */
  public static final List<String> INTERVALS = List.of("10m", "1h", "6h", "1d");

  private static final String MAIN = "io.tsdbsuite.stream.cli.StreamMain";
  private static final Duration STARTED = Duration.ofMinutes(2);
  private static final Duration CAUGHT_UP = Duration.ofMinutes(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaServer kafka;
  private final LocalFlinkJob job;
  private final Path report;

  private StreamRollup(KafkaServer kafka, LocalFlinkJob job, Path report) {
    this.kafka = kafka;
    this.job = job;
    this.report = report;
  }

  /**
   * Starts the job, and waits until it knows where to read from.
   *
   * @param jar the jar of stream-rollup for Flink
   * @param directory all of its files
   * @param tsdConfig the TSD's opentsdb.conf
   * @param kafka has {@link Topics}
   * @throws ServerException with the end of its log when it does not start
   */
  public static StreamRollup start(Path jar, Path directory, Path tsdConfig, KafkaServer kafka) {
    Path report = directory.resolve("books.json");
    LocalFlinkJob job =
        LocalFlinkJob.start(
            directory, "stream-rollup", jar, MAIN, arguments(directory, tsdConfig, kafka, report));
    StreamRollup running = new StreamRollup(kafka, job, report);
    try {
      Await.until("the start of stream-rollup", STARTED, running::isSubmitted);
    } catch (RuntimeException e) {
      job.kill();
      throw e;
    }
    return running;
  }

  /** The options, as a user gives them. */
  public static List<String> options(Path tsdConfig, String bootstrapServers) {
    return List.of(
        "--tsd-config=" + tsdConfig,
        "--interval=" + String.join(",", INTERVALS),
        "--kafka-bootstrap=" + bootstrapServers,
        "--input-topics=" + Topics.POINTS,
        "--rollup-topic=" + Topics.STREAM_ROLLUPS);
  }

  private static List<String> arguments(
      Path directory, Path tsdConfig, KafkaServer kafka, Path report) {
    List<String> arguments = new ArrayList<>(options(tsdConfig, kafka.bootstrapServers()));
    arguments.addAll(
        List.of(
            "--local",
            "--start-from=EARLIEST",
            "--parallelism=1",
            "--checkpoint-dir=" + directory.resolve("checkpoints").toUri(),
            "--checkpoint-interval=10s",
            "--report=" + report,
            // Small, and on loopback only.
            "-Dtaskmanager.memory.network.min=16mb",
            "-Dtaskmanager.memory.network.max=16mb",
            "-Dtaskmanager.memory.managed.size=8mb",
            "-Drest.address=127.0.0.1",
            "-Drest.bind-address=127.0.0.1"));
    return arguments;
  }

  private boolean isSubmitted() throws IOException {
    checkAlive();
    return Files.exists(job.log())
        && Files.readAllLines(job.log()).stream().anyMatch(line -> line.startsWith("job: "));
  }

  private void checkAlive() {
    if (!job.isAlive()) {
      throw new ServerException("stream-rollup ended; end of its log:\n" + job.logTail());
    }
  }

  /**
   * Waits until all buckets up to a time are emitted or requested.
   *
   * @param completeTo by interval, seconds since the epoch
   */
  public void awaitComplete(Map<String, Long> completeTo) {
    Await.until(
        "stream-rollup to catch up",
        CAUGHT_UP,
        () -> {
          checkAlive();
          Map<String, Long> complete = complete();
          return completeTo.entrySet().stream()
              .allMatch(each -> complete.getOrDefault(each.getKey(), 0L) >= each.getValue());
        });
  }

  /** Up to when each interval is complete, seconds since the epoch. */
  public Map<String, Long> complete() throws IOException {
    Map<String, Long> complete = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : kafka.readAll(Topics.WATERMARKS)) {
      JsonNode watermark = JSON.readTree(record.value());
      complete.merge(
          watermark.path("interval").asText(), watermark.path("completeTo").asLong(), Math::max);
    }
    return complete;
  }

  /**
   * Stops the job with a savepoint.
   *
   * @return its books
   * @throws ServerException when it fails, or its books do not close
   * @throws IOException when it has left no books
   */
  public JsonNode stop() throws IOException {
    job.stop();
    return JSON.readTree(Files.readAllBytes(report));
  }

  @Override
  public void close() {
    if (job.isAlive()) {
      job.kill();
    }
  }
}
