package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.ingest.KafkaIngest;
import io.tsdbsuite.quickstart.ingest.Topics;
import io.tsdbsuite.quickstart.stream.LatePoint;
import io.tsdbsuite.quickstart.stream.PointFeed;
import io.tsdbsuite.quickstart.stream.StreamRollup;
import io.tsdbsuite.testkit.KafkaTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The last days: points through Kafka, rolled up by stream-rollup while the TSD stores them. */
final class StreamRun implements AutoCloseable {
  private static final int DAY = 86400;
  private static final int HOUR = 3600;
  private static final int MINUTE = 60;

  /** stream-rollup's defaults of --slack and --spread, seconds. */
  private static final int SLACK = 120;

  private static final int SPREAD = 2400;

  private final Environment run;
  private final KafkaTopics topics;
  private final KafkaIngest ingest;
  private final Timeline window;
  private final PointFeed feed;
  private final StreamRollup job;
  private long pastTo;

  /**
   * Starts stream-rollup, with points of an hour before the last days in Kafka.
   *
   * @param run has Kafka with {@link Topics}
   * @param jar the jar of stream-rollup
   * @param directory all of its files
   */
  StreamRun(Environment run, Path jar, Path directory) {
    this.run = run;
    this.topics = run.stack().kafka().topics();
    this.ingest = new KafkaIngest(run.client(), topics);
    this.window = run.window();
    this.feed = new PointFeed(topics, Topics.POINTS, run.rate(), run.clock());
    run.step(
        "stream-rollup --local %s",
        String.join(
            " ", StreamRollup.options(run.tsdConfig(), run.stack().kafka().bootstrapServers())));
    feed.first(window.streamFrom() - HOUR);
    this.job = StreamRollup.start(jar, directory, run.tsdConfig(), run.stack().kafka());
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
   *
   * @throws IOException when a watermark cannot be read
   */
  void catchUp() throws IOException {
    Map<String, Long> completeTo = new LinkedHashMap<>();
    for (String interval : StreamRollup.INTERVALS) {
      long width = of(interval).seconds();
      long end = pastTo - MINUTE - SLACK - Math.min(SPREAD, width - SLACK);
      completeTo.put(interval, end - end % width);
    }
    job.awaitComplete(completeTo);
    run.step(
        "stream-rollup has rolled them up: %,d rollups, complete up to %s",
        count(Topics.STREAM_ROLLUPS), text(job.complete()));
    ingest.awaitPoints();
    ingest.awaitRollups();
    run.step("the plugin in the TSD has stored points and rollups");
  }

  private static String text(Map<String, Long> complete) {
    StringBuilder text = new StringBuilder();
    for (String interval : StreamRollup.INTERVALS) {
      String time = Instant.ofEpochSecond(complete.getOrDefault(interval, 0L)).toString();
      text.append(text.length() == 0 ? "" : ", ").append(time, 0, 16).append("Z (");
      text.append(interval).append(')');
    }
    return text.toString();
  }

  private long count(String topic) {
    return topics.endOffsets(topic).values().stream().mapToLong(Long::longValue).sum();
  }

  private RollupInterval of(String interval) {
    return Objects.requireNonNull(run.rollups().interval(interval), interval);
  }

  /** Sends a late point. */
  void send(LatePoint late) {
    late.send(feed);
    run.step("a point of %s comes late: %s", late.series(), Instant.ofEpochSecond(late.time()));
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
   * @param verify runs the comparison
   * @return whether there are no differences
   * @throws IOException when HBase fails
   */
  boolean verify(RollupJobRun verify) throws IOException {
    ingest.awaitPoints();
    ingest.awaitRollups();
    ingest.awaitRepairs();
    Map<String, String> tables = new LinkedHashMap<>();
    StreamRollup.INTERVALS.forEach(interval -> tables.put(interval, of(interval).table()));
    verify.snapshotForVerify(tables.values());
    long day = window.completeTo() - window.completeTo() % DAY;
    String metric = RequestRate.METRIC;
    boolean equal = verify.verify(metric, window.streamFrom(), day, tables) == ExitCode.DONE;
    tables.keySet().removeIf(interval -> of(interval).seconds() > HOUR);
    if (day < window.completeTo()) {
      equal &= verify.verify(metric, day, window.completeTo(), tables) == ExitCode.DONE;
    }
    return equal;
  }

  /**
   * Ends the flow of points, and stops stream-rollup.
   *
   * @return whether its books close
   * @throws IOException when it has left no books
   */
  boolean stop() throws IOException {
    feed.close();
    JsonNode books = job.stop();
    run.step("stream-rollup has stopped; its books: %s", books);
    return books.path("booksClose").asBoolean();
  }

  @Override
  public void close() {
    try {
      feed.close();
    } finally {
      job.close();
    }
  }
}
