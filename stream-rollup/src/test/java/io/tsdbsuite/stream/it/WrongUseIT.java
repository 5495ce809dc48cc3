package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.stream.cli.StreamMain;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.S3Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One clear message and the exit code for each wrong use, before anything runs. */
class WrongUseIT {
  private static final KafkaServer KAFKA = StreamStack.get().kafka();

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(String... more) throws IOException {
    Path rollups =
        Files.writeString(directory.resolve("rollup_config.json"), StreamStack.ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    List<String> args = new ArrayList<>(List.of("--tsd-config=" + conf, "--local"));
    args.addAll(List.of(more));
    return new StreamMain(new PrintWriter(out, true), new PrintWriter(err, true), Clock.systemUTC())
        .run(args.toArray(String[]::new));
  }

  private ExitCode complete(String name, String... more) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--kafka-bootstrap=" + KAFKA.bootstrapServers(),
                "--input-topics=" + name + "-points",
                "--rollup-topic=" + name + "-rollups",
                "--request-topic=" + name + "-requests",
                "--watermark-topic=" + name + "-watermarks",
                "--checkpoint-dir=" + directory.resolve("checkpoints").toUri()));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  @Test
  void allProblemsOfTheOptionsAtOnce() throws Exception {
    assertThat(
            run(
                "--interval=10m,7m,60m",
                "--slack=4m",
                "--idle-timeout=soon",
                "--parallelism=0",
                "--max-message-bytes=1023",
                "--max-message-elements=0",
                "--max-message-depth=901",
                "--input-topics=a,b",
                "--rollup-topic=b"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--interval must be one of rollup_config.json (1m, 10m, 1h, 6h, 1d), found: 7m")
        .contains("--slack must be at most a third of each interval, found: 4m with 10m")
        .contains("--idle-timeout must be a duration such as 90s, 2m or 1h, found: soon")
        .contains("--parallelism must be 1 or more, found: 0")
        .contains("--max-message-bytes must be 1024 to 268435456, found: 1023")
        .contains("--max-message-elements must be 1 to 1000000, found: 0")
        .contains("--max-message-depth must be 8 to 900, found: 901")
        .contains("--input-topics must not have a topic that is written, found: b")
        .contains("--checkpoint-dir is required")
        .contains("--kafka-bootstrap is required")
        .endsWith("Nothing was read or written. --help lists the options.\n")
        .doesNotContain("\tat ");
  }

  @Test
  void anUnknownOption() throws Exception {
    assertThat(run("--intervall=1h")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--intervall");
  }

  @Test
  void topicsThatAreMissingOrCompacted() throws Exception {
    KAFKA.createTopic("wrong-points", 1);
    KAFKA.topics().create("wrong-rollups", 1, Map.of("cleanup.policy", "compact"));
    assertThat(complete("wrong")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("topic wrong-requests must exist, found none of this name")
        .contains("topic wrong-watermarks must exist, found none of this name")
        .contains("topic wrong-rollups must have cleanup.policy=delete")
        .doesNotContain("wrong-points");
  }

  @Test
  void aDryRunStartsNothing() throws Exception {
    for (String topic : List.of("dry-points", "dry-rollups", "dry-requests", "dry-watermarks")) {
      KAFKA.createTopic(topic, 1);
    }
    assertThat(complete("dry", "--interval=10m,1h", "--dry-run"))
        .as(err.toString())
        .isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .contains("interval           10m")
        .contains("read               dry-points-0 from offset 0")
        .contains("rollups            to topic dry-rollups")
        .contains("repairs            requeueDelay of kafka-ingest must be longer than --slack, ")
        .doesNotContain("requeueDelay of kafka-ingest's groups", "suite")
        .contains("warning            topic dry-points has message.timestamp.type=CreateTime: ")
        .endsWith(
            "dry run            no job was started, nothing was written" + System.lineSeparator());
    assertThat(directory.resolve("checkpoints")).doesNotExist();
    Path suite = Files.writeString(directory.resolve("suite.json"), StreamStack.SUITE_CONFIG);
    assertThat(
            complete(
                "dry",
                "--interval=1h",
                "--slack=5m",
                "--dry-run",
                "--rollup-config=" + suite,
                "--tsd.core.histograms.config={\"" + HistogramCodecs.SKETCH + "\":1}"))
        .as(err.toString())
        .isEqualTo(ExitCode.DONE);
    assertThat(out.toString())
        .contains("suite              {\"values\":[{\"metrics\":\"*,!tick\",\"intervals\":\"1h\",")
        .contains("warning            requeueDelay of kafka-ingest's groups ");
  }

  @Test
  void brokersThatDoNotAnswer() throws Exception {
    assertThat(
            run(
                "--kafka-bootstrap=127.0.0.1:1",
                "--input-topics=a",
                "--rollup-topic=b",
                "--checkpoint-dir=" + directory.resolve("checkpoints").toUri(),
                "--kafka-property=default.api.timeout.ms=2000",
                "--kafka-property=request.timeout.ms=1000"))
        .isEqualTo(ExitCode.OUTSIDE);
    assertThat(err.toString()).contains("Kafka fails: ").doesNotContain("\tat ");
  }

  @Test
  void aCheckpointDirectoryThatCannotBeWritten() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(
            complete("nothing", "-Dexecution.checkpointing.dir=" + file.resolve("below").toUri()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--checkpoint-dir must be a directory that can be written");
  }

  /** Nothing listens: a later start may succeed. */
  @Test
  void storageThatDoesNotAnswer() throws Exception {
    assertThat(onS3("http://127.0.0.1:" + FreePorts.next(), "writer-secret"))
        .isEqualTo(ExitCode.OUTSIDE);
    assertThat(err.toString())
        .contains("--checkpoint-dir s3://state/stream does not answer: ")
        .doesNotContain("\tat ");
  }

  /** Flink has hdfs: where Hadoop's client is on the class path, as it is here. */
  @Test
  void hdfsThatDoesNotAnswer() throws Exception {
    String directory = "hdfs://127.0.0.1:" + FreePorts.next() + "/stream";
    assertThat(
            complete(
                "nothing",
                "-Dexecution.checkpointing.dir=" + directory,
                "-Dflink.hadoop.ipc.client.connect.max.retries=0"))
        .as(err::toString)
        .isEqualTo(ExitCode.OUTSIDE);
    assertThat(err.toString()).contains("--checkpoint-dir " + directory + " does not answer: ");
  }

  @Test
  void aWrongKeyOfS3() throws Exception {
    S3Server s3 = S3Server.start(directory.resolve("s3"));
    try {
      s3.createBucket("state");
      assertThat(onS3(s3.endpoint().toString(), "wrong")).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .contains("--checkpoint-dir must be a directory that can be written, found: ");
    } finally {
      s3.stop();
    }
  }

  private ExitCode onS3(String endpoint, String secretKey) throws IOException {
    return complete(
        "nothing",
        "-Dexecution.checkpointing.dir=s3://state/stream",
        "-Ds3.endpoint=" + endpoint,
        "-Ds3.endpoint.region=us-east-1",
        "-Ds3.path.style.access=true",
        "-Ds3.access-key=writer",
        "-Ds3.secret-key=" + secretKey,
        "-Ds3.attempts.maximum=1",
        "-Ds3.retry.limit=1",
        "-Ds3.retry.interval=10ms");
  }

  @Test
  void aCheckpointThatDoesNotExist() throws Exception {
    assertThat(complete("nothing", "--from-checkpoint=" + directory.resolve("gone").toUri()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--from-checkpoint must be a directory with the file _metadata, found: ");
  }

  /** Without this check the job would start again without end. */
  @ParameterizedTest
  @CsvSource({"hashmap, HEAP, ROCKSDB", "rocksdb, ROCKSDB, HEAP"})
  void aCheckpointOfTheOtherState(String backend, String written, String read) throws Exception {
    String name = "state-of-" + backend;
    JobRun run = new JobRun(name, 1, "10m", "1h").state(backend);
    new Points(run.points(), 1).tick(1763510400).send(KAFKA.topics());
    run.start(null);
    run.awaitAllRead();
    run.cancel();
    assertThat(
            complete(
                name,
                "--interval=10m,1h",
                "--state=" + read,
                "--from-checkpoint=" + run.newestCheckpoint()))
        .as(err::toString)
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--from-checkpoint must be a savepoint if --state changes, found a checkpoint of"
                + " --state "
                + written);
  }

  @Test
  void aFileThatIsNoCheckpoint() throws Exception {
    Files.writeString(directory.resolve("_metadata"), "no checkpoint");
    assertThat(complete("nothing", "--from-checkpoint=" + directory.toUri()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--from-checkpoint cannot be read: ");
  }

  @Test
  void aCheckpointOfOtherIntervalsOrTopics() throws Exception {
    JobRun run = new JobRun("other", 1, "10m", "1h");
    run.start(null);
    new Points(run.points(), 1).tick(1763510400).send(KAFKA.topics());
    String savepoint = run.stop();
    assertThat(complete("other", "--interval=1h", "--from-checkpoint=" + savepoint))
        .as(err::toString)
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--from-checkpoint: the checkpoint must have the intervals 1h with a slack of 120 s,"
                + " found 10m,1h with a slack of 120 s");
    for (String topic : List.of("points", "rollups", "requests", "watermarks")) {
      KAFKA.createTopic("removed-" + topic, 1);
    }
    assertThat(complete("removed", "--interval=10m,1h", "--from-checkpoint=" + savepoint))
        .as(err::toString)
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--from-checkpoint: the checkpoint must have no other topics than --input-topics,"
                + " found also other-points: add what was found to --input-topics, or start"
                + " without a checkpoint");
  }
}
