package io.tsdbsuite.stream.it;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.flink.BooksReport;
import io.tsdbsuite.stream.flink.Count;
import io.tsdbsuite.stream.flink.StreamOptions;
import io.tsdbsuite.stream.flink.StreamTopology;
import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.StreamIntervals;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The job on Flink's MiniCluster, over topics of its own. */
final class JobRun {
  static final int SLACK = 120;

  /** Of the codec of sketches. */
  static final int SKETCH_ID = 43;

  private static final String CODECS =
      "{\"io.tsdbsuite.histogram.SketchCodec\": " + SKETCH_ID + "}";

  /** 1 January 2010, UTC, ms. */
  private static final long EARLIEST = 1_262_304_000_000L;

  /** The accumulator of {@link Count#CONSUMED}. */
  private static final String CONSUMED = "stream_rollup." + Count.CONSUMED.key();

  private final KafkaServer kafka = StreamStack.get().kafka();
  private final String name;
  private Path checkpoints;
  private final String[] intervals;
  private long firstTime;
  private long completeFrom;
  private int parallelism = 2;
  private SeriesHash hash = SeriesHash.murmur3();
  private Clock clock = Clock.systemUTC();
  private long idleMillis = 10_000;
  private String state = "hashmap";
  private String config = StreamStack.ROLLUP_CONFIG;
  private @Nullable JobClient client;

  JobRun(String name, int partitions, String... intervals) throws Exception {
    this(name, partitions, Map.of(), intervals);
  }

  /**
   * @param configs settings of the topic of the points
   */
  JobRun(String name, int partitions, Map<String, String> configs, String... intervals)
      throws Exception {
    this.name = name;
    this.intervals = intervals;
    this.checkpoints = StreamStack.directory(name);
    kafka.topics().create(points(), partitions, configs);
    kafka.createTopic(rollups(), 3);
    kafka.createTopic(requests(), 1);
    kafka.createTopic(watermarks(), 1);
  }

  String points() {
    return name + "-points";
  }

  String rollups() {
    return name + "-rollups";
  }

  String requests() {
    return name + "-requests";
  }

  String watermarks() {
    return name + "-watermarks";
  }

  /** The time of the first message of a job that starts without a state. */
  JobRun startedAt(long seconds) {
    firstTime = seconds * 1000;
    completeFrom = (seconds + SLACK) * 1000 + 1;
    return this;
  }

  /**
   * The same job as arguments of the command line, without the checkpoints' directory; with two
   * tasks, and a checkpoint every second.
   *
   * @param directory receives the files of the TSD's configuration
   */
  List<String> arguments(Path directory) throws IOException {
    Path rollups =
        Files.writeString(directory.resolve("rollup_config.json"), StreamStack.ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    return new ArrayList<>(
        List.of(
            "--tsd-config=" + conf,
            "--interval=" + String.join(",", intervals),
            "--kafka-bootstrap=" + kafka.bootstrapServers(),
            "--input-topics=" + points(),
            "--rollup-topic=" + rollups(),
            "--request-topic=" + requests(),
            "--watermark-topic=" + watermarks(),
            "--start-from=EARLIEST",
            "--checkpoint-interval=1s",
            "--parallelism=2",
            "--state=HEAP"));
  }

  JobRun checkpoints(Path directory) {
    checkpoints = directory;
    return this;
  }

  JobRun hash(SeriesHash other) {
    hash = other;
    return this;
  }

  /** The present for the job; must be serializable. */
  JobRun clock(Clock other) {
    clock = other;
    return this;
  }

  JobRun idleMillis(long millis) {
    idleMillis = millis;
    return this;
  }

  /** Makes what {@link StreamStack#SUITE_CONFIG} selects. */
  JobRun suite() {
    config = StreamStack.SUITE_CONFIG;
    return this;
  }

  /** Makes no more than the four values. */
  JobRun withoutSuite() {
    config = StreamStack.ROLLUP_CONFIG;
    return this;
  }

  /** Flink's name of a state backend. */
  JobRun state(String backend) {
    state = backend;
    return this;
  }

  JobRun parallelism(int tasks) {
    parallelism = tasks;
    return this;
  }

  void start(@Nullable String savepoint) throws Exception {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "200 ms");
    settings.setString("execution.checkpointing.dir", checkpoints.toUri().toString());
    settings.setString("state.backend.type", state);
    settings.setString(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    settings.setString("restart-strategy.type", "fixed-delay");
    settings.setString("restart-strategy.fixed-delay.delay", "100 ms");
    settings.setString("restart-strategy.fixed-delay.attempts", "1000");
    settings.setString("taskmanager.numberOfTaskSlots", "2");
    settings.setString("taskmanager.memory.network.min", "32 mb");
    settings.setString("taskmanager.memory.network.max", "32 mb");
    settings.setString("taskmanager.memory.managed.size", "8 mb");
    settings.setString("pekko.ask.timeout", "2 min");
    // They bring the counts.
    settings.setString("heartbeat.interval", "200");
    settings.setString("rest.address", "127.0.0.1");
    settings.setString("rest.bind-port", "0");
    if (savepoint != null) {
      settings.setString("execution.state-recovery.path", savepoint);
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, settings);
    environment.setParallelism(parallelism);
    RollupConfig rollups = RollupConfig.parse(config);
    Map<TopicPartition, Long> start = new HashMap<>();
    StreamOptions options =
        new StreamOptions(
            new StreamIntervals(
                Arrays.stream(intervals).map(rollups::interval).toList(),
                SLACK,
                2400,
                rollups.suite(),
                HistogramCodecs.load(CODECS)),
            List.of(points()),
            rollups(),
            requests(),
            watermarks(),
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            name,
            EARLIEST,
            start,
            firstTime,
            completeFrom,
            Map.of(),
            idleMillis,
            MessageLimits.DEFAULT);
    StreamTopology.build(environment, options, clock, hash);
    client = environment.executeAsync(name);
    Await.until(
        "job to run", StreamStack.PATIENCE, () -> job().getJobStatus().get() == JobStatus.RUNNING);
  }

  /** Waits until a checkpoint has all messages, each of one element, and what they lead to. */
  void awaitAllRead() {
    awaitRead();
    // The newest may be a savepoint of before, and the next one may have begun before.
    Await.until("a checkpoint", StreamStack.PATIENCE, () -> checkpoint() > 0);
    int next = checkpoint() + 2;
    Await.until("checkpoint " + next, StreamStack.PATIENCE, () -> checkpoint() >= next);
  }

  /** Waits until all messages have been read. */
  void awaitRead() {
    awaitRead(
        kafka.topics().endOffsets(points()).values().stream().mapToLong(Long::longValue).sum());
  }

  /**
   * Waits until this number of elements has been read. The group's offsets tell it, too, but up to
   * ten seconds later: Flink commits them between two polls.
   */
  void awaitRead(long elements) {
    Await.until(
        elements + " elements to be read",
        StreamStack.PATIENCE,
        () -> Objects.equals(job().getAccumulators().get().get(CONSUMED), elements));
  }

  /** Number of the newest complete checkpoint; 0 without, or while it is replaced. */
  private int checkpoint() {
    return Checkpoints.newest(checkpoints)
        .map(found -> found.getFileName().toString())
        .filter(found -> found.startsWith("chk-"))
        .map(found -> Integer.parseInt(found.substring("chk-".length())))
        .orElse(0);
  }

  /** Deletes messages of partition 0, as retention does. */
  void deleteBefore(long offset) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .deleteRecords(
              Map.of(new TopicPartition(points(), 0), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get();
    }
  }

  /** Deletes the topic of the points, and creates it again with one partition. */
  void createPointsAgain() throws Exception {
    deleteTopics(List.of(points()));
    kafka.createTopic(points(), 1);
  }

  /** Another run may create them again. */
  void deleteTopics() throws Exception {
    deleteTopics(List.of(points(), rollups(), requests(), watermarks()));
  }

  private void deleteTopics(List<String> topics) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.deleteTopics(topics).all().get();
      Await.until(
          "no topic of " + name,
          StreamStack.PATIENCE,
          () -> topics.stream().noneMatch(admin.listTopics().names().get()::contains));
    }
  }

  private JobClient job() {
    JobClient running = client;
    if (running == null) {
      throw new IllegalStateException("start must be called first");
    }
    return running;
  }

  /** Stops with a savepoint, once all tasks run; returns its place. */
  String stop() {
    return Await.value(
        "a savepoint",
        StreamStack.PATIENCE,
        () -> {
          try {
            return Optional.of(
                job()
                    .stopWithSavepoint(
                        false, checkpoints.toUri().toString(), SavepointFormatType.CANONICAL)
                    .get());
          } catch (ExecutionException e) {
            return Optional.empty();
          }
        });
  }

  /** The newest checkpoint or savepoint. */
  String newestCheckpoint() {
    return Checkpoints.newest(checkpoints).orElseThrow().toUri().toString();
  }

  BooksReport books() throws Exception {
    return BooksReport.of(job().getJobExecutionResult().get().getAllAccumulatorResults());
  }

  /** Returns when the job has ended, and deletes no checkpoint any more. */
  void cancel() throws Exception {
    job().cancel().get();
    try {
      job().getJobExecutionResult().get(StreamStack.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // A cancelled job has no result.
    }
  }
}
