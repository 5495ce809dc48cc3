package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.stream.KafkaIngest;
import io.tsdbsuite.quickstart.stream.LatePoint;
import io.tsdbsuite.quickstart.stream.PointFeed;
import io.tsdbsuite.quickstart.stream.Topics;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.LocalFlinkJob;
import io.tsdbsuite.testkit.ServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The last days: points through Kafka, rolled up by stream-rollup while the TSD stores them. */
final class StreamRun implements AutoCloseable {
  private static final int DAY = 86400;
  private static final int HOUR = 3600;
  private static final int MINUTE = 60;

  /** stream-rollup's defaults of --slack and --spread, seconds. */
  private static final int SLACK = 120;

  private static final int SPREAD = 2400;

  private static final String MAIN = "io.tsdbsuite.stream.cli.StreamMain";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Environment run;
  private final KafkaIngest ingest;
  private final Timeline window;
  private final PointFeed feed;
  private final Path report;
  private final LocalFlinkJob job;
  private long pastTo;

  /**
   * Starts stream-rollup in its own process, with points of an hour before the last days in Kafka,
   * and waits until it knows where to read from.
   *
   * @param directory all of its files
   */
  StreamRun(Environment run, Path directory) throws IOException {
    this.run = run;
    this.ingest = run.kafkaIngest();
    this.window = run.window();
    KafkaServer kafka = run.stack().kafka();
    this.feed = new PointFeed(kafka.topics(), run.rate(), run.clock());
    this.report = directory.resolve("books.json");
    List<String> options =
        List.of(
            "--tsd-config=" + run.tsdConfig(),
            "--interval=" + String.join(",", LatePoint.INTERVALS),
            "--kafka-bootstrap=" + kafka.bootstrapServers(),
            "--input-topics=" + Topics.POINTS,
            "--rollup-topic=" + Topics.STREAM_ROLLUPS);
    run.step("stream-rollup --local %s", String.join(" ", options));
    List<String> arguments = new ArrayList<>(options);
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
    feed.first(window.streamFrom() - HOUR);
    Path jar = Environment.jar("stream-rollup", "flink");
    this.job = LocalFlinkJob.start(directory, "stream-rollup", jar, MAIN, arguments);
    try {
      await("the start of stream-rollup", () -> log().anyMatch(line -> line.startsWith("job: ")));
    } catch (RuntimeException e) {
      job.kill();
      throw e;
    }
  }

  private Stream<String> log() throws IOException {
    return Files.exists(job.log()) ? Files.readString(job.log()).lines() : Stream.of();
  }

  private void await(String what, Callable<Boolean> condition) {
    Await.until(
        what,
        PATIENCE,
        () -> {
          if (!job.isAlive()) {
            throw new ServerException("stream-rollup ended; end of its log:\n" + job.logTail());
          }
          return condition.call();
        });
  }

  /** Sends the points of the last days, and goes on with new ones. */
  void feed() {
    run.step(
        "points of the last days, from %s, to topic %s, as two gateways send them every %d s",
        Instant.ofEpochSecond(window.streamFrom()), Topics.POINTS, RequestRate.STEP_SECONDS);
    pastTo = feed.past(window.streamFrom());
    feed.follow();
    run.step("%,d messages are in Kafka, new ones follow", count(Topics.POINTS));
  }

  /**
   * Waits until the TSD has stored the points of the last days and their rollups, after {@link
   * #feed}.
   */
  void catchUp() throws IOException {
    await(
        "stream-rollup to catch up",
        () -> {
          Map<String, Long> complete = complete();
          return LatePoint.INTERVALS.stream()
              .allMatch(each -> complete.getOrDefault(each, 0L) >= completeTo(each));
        });
    run.step(
        "stream-rollup has rolled them up: %,d rollups, complete up to %s",
        count(Topics.STREAM_ROLLUPS), text(complete()));
    ingest.awaitPoints();
    ingest.awaitRollups();
    run.step("the plugin in the TSD has stored points and rollups");
  }

  /** End of the buckets of an interval that have all points of the past. */
  private long completeTo(String interval) {
    long width = run.interval(interval).seconds();
    long end = pastTo - MINUTE - SLACK - Math.min(SPREAD, width - SLACK);
    return end - end % width;
  }

  /** Up to when each interval is complete, seconds since the epoch. */
  private Map<String, Long> complete() throws IOException {
    Map<String, Long> complete = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : run.stack().kafka().readAll(Topics.WATERMARKS)) {
      JsonNode watermark = JSON.readTree(record.value());
      complete.merge(
          watermark.path("interval").asText(), watermark.path("completeTo").asLong(), Math::max);
    }
    return complete;
  }

  private static String text(Map<String, Long> complete) {
    return LatePoint.INTERVALS.stream()
        .map(
            interval ->
                "%.16sZ (%s)"
                    .formatted(
                        Instant.ofEpochSecond(complete.getOrDefault(interval, 0L)), interval))
        .collect(Collectors.joining(", "));
  }

  private long count(String topic) {
    return run.stack().kafka().topics().endOffsets(topic).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Sends a point that is late. */
  LatePoint sendLate() {
    LatePoint late = new LatePoint(run.client(), run.queries().plugin(), run.rate(), window.late());
    late.send(feed);
    run.step("a point of %s comes late: %s", late.series(), Instant.ofEpochSecond(late.time()));
    return late;
  }

  /**
   * Waits for the repair of a late point.
   *
   * @return whether all of its rollups are right
   */
  boolean awaitRepair(LatePoint late) {
    late.awaitRepair();
    run.step(
        "the rollups of the late point are repaired: %,d request in topic %s",
        count(Topics.REQUESTS), Topics.REQUESTS);
    run.console().lines(System.lineSeparator() + late.table());
    return late.isRepaired();
  }

  /**
   * Compares the rollups of all complete hours with the raw points: days with all intervals, and
   * the hours of the last day with the narrow ones.
   *
   * @return whether there are no differences
   */
  boolean verify(Jobs jobs) throws IOException {
    ingest.awaitPoints();
    ingest.awaitRollups();
    ingest.awaitRepairs();
    jobs.snapshotForVerify(LatePoint.INTERVALS);
    long day = window.completeTo() - window.completeTo() % DAY;
    boolean equal = jobs.verify(window.streamFrom(), day, LatePoint.INTERVALS);
    if (day < window.completeTo()) {
      List<String> narrow =
          LatePoint.INTERVALS.stream()
              .filter(interval -> run.interval(interval).seconds() <= HOUR)
              .toList();
      equal &= jobs.verify(day, window.completeTo(), narrow);
    }
    return equal;
  }

  /**
   * Ends the flow of points, and stops stream-rollup.
   *
   * @return whether its books close
   */
  boolean stop() throws IOException {
    feed.close();
    job.stop();
    JsonNode books = JSON.readTree(report.toFile());
    run.step("stream-rollup has stopped; its books: %s", books);
    return books.path("booksClose").asBoolean();
  }

  @Override
  public void close() {
    try {
      feed.close();
    } finally {
      if (job.isAlive()) {
        job.kill();
      }
    }
  }
}
