package io.tsdbsuite.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * {@code stream-rollup --local} with the class path of its module, over the topics of {@link
 * SystemStack}.
 */
final class StreamProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHECKPOINT = "chk-";

  /** Exit code after {@code kill -9}. */
  static final int KILLED = 128 + 9;

  /** Time for which points are put in order, seconds; at most a third of the narrowest interval. */
  static final int SLACK = 10;

  /** Time over which the series emit their buckets, seconds. */
  private static final int SPREAD = 1;

  private final SystemStack stack = SystemStack.get();
  private final Path directory;
  private final Thread atExit = new Thread(this::kill);
  private final Map<String, Long> completeTo = new HashMap<>();
  private final KafkaConsumer<byte[], byte[]> watermarks;
  private final Process process;

  /** Starts it at the beginning of the topics, and waits until its job was submitted. */
  static StreamProcess submitted() throws IOException {
    return submitted(
        new StreamProcess(
            SystemStack.directory("stream"), List.of(SystemStack.POINTS, SystemStack.PUBLISHED)));
  }

  /** The same for a TSD of {@link SystemStack#maskingConf}, and its topic of watermarks. */
  static StreamProcess submitted(TsdServer tsd, String prefix) throws IOException {
    SystemStack.get().topics().create(prefix + "-" + SystemStack.WATERMARKS, 1);
    return submitted(
        new StreamProcess(
            SystemStack.directory("stream"),
            List.of(prefix + "-" + SystemStack.POINTS),
            tsd,
            List.of("1h", "1d"),
            prefix + "-"));
  }

  private static StreamProcess submitted(StreamProcess process) {
    process.await("its job to be submitted", () -> process.logText().contains("job: "));
    return process;
  }

  /**
   * Starts it from the newest checkpoint of the directory, or at the beginning of the topics.
   *
   * @param directory of all its files; those of an earlier process are used again
   */
  StreamProcess(Path directory, List<String> inputTopics) throws IOException {
    this(directory, inputTopics, SystemStack.get().tsd(), SystemStack.INTERVALS, "");
  }

  /**
   * @param prefix of the names of the topics that it writes; with one its input has one partition
   */
  private StreamProcess(
      Path directory,
      List<String> inputTopics,
      TsdServer tsd,
      List<String> intervals,
      String prefix)
      throws IOException {
    this.directory = directory;
    Runtime.getRuntime().addShutdownHook(atExit);
    watermarks =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", stack.kafka().bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    TopicPartition partition = new TopicPartition(prefix + SystemStack.WATERMARKS, 0);
    watermarks.assign(List.of(partition));
    watermarks.seekToBeginning(List.of(partition));
    String libraries = Files.readString(Path.of(System.getProperty("stream.classpath"))).trim();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("stream.classes") + ":" + libraries,
                "io.tsdbsuite.stream.cli.StreamMain",
                "--local",
                "--report=" + report(),
                "--checkpoint-dir=" + checkpoints().toUri(),
                "-Dexecution.checkpointing.interval=200 ms",
                "--tsd-config=" + tsd.configFile(),
                "--interval=" + String.join(",", intervals),
                "--slack=" + SLACK + "s",
                "--spread=" + SPREAD + "s",
                // A partition that waits for the test must not let the others go on.
                "--idle-timeout=1h",
                "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
                "--input-topics=" + String.join(",", inputTopics),
                "--rollup-topic=" + prefix + SystemStack.ROLLUPS,
                "--request-topic=" + prefix + SystemStack.REQUESTS,
                "--watermark-topic=" + prefix + SystemStack.WATERMARKS,
                "--start-from=EARLIEST",
                // A task without a partition waits for the idle time-out.
                "--parallelism=" + (prefix.isEmpty() ? 2 : 1)));
    newestCheckpoint().ifPresent(found -> command.add("--from-checkpoint=" + found.toUri()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
  }

  private Optional<Path> newestCheckpoint() throws IOException {
    if (!Files.exists(checkpoints())) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(checkpoints(), 3)) {
      return files
          .filter(file -> file.getFileName().toString().equals("_metadata"))
          .max(Comparator.comparing(file -> file.toFile().lastModified()))
          .map(Path::getParent);
    }
  }

  private Path log() {
    return directory.resolve("log.txt");
  }

  private Path report() {
    return directory.resolve("report.json");
  }

  private Path checkpoints() {
    return directory.resolve("checkpoints");
  }

  /** What the process and those before it have said. */
  String logText() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(String what, Condition condition) {
    Await.until(
        "stream-rollup: " + what,
        SystemStack.PATIENCE,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("stream-rollup has ended: " + logText());
          }
          return condition.holds();
        });
  }

  /** Up to when an interval is complete, seconds since the epoch; 0 before the first message. */
  private long completeTo(String interval) throws IOException {
    for (ConsumerRecord<byte[], byte[]> record : watermarks.poll(Duration.ofMillis(100))) {
      JsonNode message = JSON.readTree(record.value());
      completeTo.merge(
          message.get("interval").asText(), message.get("completeTo").asLong(), Long::max);
    }
    return completeTo.getOrDefault(interval, 0L);
  }

  /**
   * Whether the job has emitted or requested all buckets of an interval up to an instant. Some may
   * not be in Kafka yet: {@link #awaitSent}.
   *
   * @param seconds since the epoch
   */
  boolean isComplete(String interval, long seconds) throws IOException {
    return completeTo(interval) >= seconds;
  }

  /** Waits until {@link #isComplete}, and until Kafka has what was emitted. */
  void awaitComplete(String interval, long seconds) {
    await(interval + " to be complete to " + seconds, () -> isComplete(interval, seconds));
    awaitSent();
  }

  /** Waits until Kafka has what was emitted before: a checkpoint flushes the producers. */
  void awaitSent() {
    // The next one may have begun already.
    long after = lastCheckpoint() + 2;
    await("checkpoint " + after, () -> lastCheckpoint() >= after);
  }

  private long lastCheckpoint() {
    if (!Files.exists(checkpoints())) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(checkpoints(), 3)) {
      return files
          .filter(file -> file.getFileName().toString().equals("_metadata"))
          .map(file -> file.getParent().getFileName().toString())
          .filter(name -> name.startsWith(CHECKPOINT))
          .mapToLong(name -> Long.parseLong(name.substring(CHECKPOINT.length())))
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (UncheckedIOException e) {
      // A checkpoint was removed meanwhile, after a newer one was complete.
      return lastCheckpoint();
    }
  }

  /** SIGTERM; returns the report of the books, after an exit with 0. */
  JsonNode stop() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(SystemStack.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("stream-rollup must end after SIGTERM: " + logText());
    }
    if (process.exitValue() != 0) {
      throw new AssertionError("exit code " + process.exitValue() + ": " + logText());
    }
    return JSON.readTree(report().toFile());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** kill -9; returns when the process has ended. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /**
   * Sends a signal, for example STOP.
   *
   * @throws IOException if the process has ended
   */
  void signal(String name) throws IOException, InterruptedException {
    if (new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor()
        != 0) {
      throw new IOException("SIG" + name + " does not reach it");
    }
  }

  @Override
  public void close() {
    kill();
    watermarks.close();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
