package io.tsdbsuite.bench.stream;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.KafkaTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A job that reads rounds written before, on one core, the broker on the other, and is then
 * measured: first its CPU, then its state.
 */
final class LoadedJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final int PARTITIONS = 4;
  private static final long ASK_MILLIS = 250;

  /** Until what was taken from Kafka is in the state. */
  private static final long REST_SECONDS = 2;

  private final KafkaTopics topics;
  private final Engine.Run run;
  private final int series;
  private final int rounds;
  private final JobJvm job;

  /**
   * Writes the input and starts the job.
   *
   * @param dir of the run; its name is part of all topics
   * @param heap maximum heap, for example 4g
   * @param series number of series
   * @param period time between two points of a series, seconds
   * @param rounds points of each series
   */
  LoadedJob(
      KafkaServer broker, Engine engine, Path dir, String heap, int series, int period, int rounds)
      throws IOException, InterruptedException {
    this.topics = broker.topics();
    this.series = series;
    this.rounds = rounds;
    run =
        new Engine.Run(
            Files.createDirectories(dir).getFileName().toString(), broker.bootstrapServers(), dir);
    topics.create(run.points(), PARTITIONS);
    topics.create(run.rollups(), PARTITIONS);
    run.others().forEach(topic -> topics.create(topic, 1));
    RoundTimes times = RoundTimes.before(Clock.systemUTC().instant(), period);
    JobJvm.bind(broker.pid(), "0-" + (Runtime.getRuntime().availableProcessors() - 1));
    write(times);
    System.out.printf(
        Locale.ROOT, "%s: %,d messages written%n", run.name(), (long) series * rounds);
    JobJvm.bind(broker.pid(), "1");
    job = new JobJvm(engine.arguments(run, heap), dir.resolve("job.log"));
  }

  /** Writes all rounds with lz4, each series to the partition of its number. */
  private void write(RoundTimes times) {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", run.bootstrapServers(),
            "compression.type", "lz4",
            "linger.ms", "5",
            "batch.size", "65536",
            "buffer.memory", "67108864");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < series; i++) {
          long millis = times.start(round) * 1000 + i * 1000L * times.period() / series;
          Future<RecordMetadata> unused =
              producer.send(
                  new ProducerRecord<>(
                      run.points(),
                      i % PARTITIONS,
                      millis,
                      MetricInput.key(i),
                      MetricInput.message(i, millis / 1000)),
                  (metadata, e) -> {
                    if (e != null) {
                      failure.compareAndSet(null, e);
                    }
                  });
        }
      }
    }
    Exception found = failure.get();
    if (found != null) {
      throw new IllegalStateException("a message was not written to " + run.points(), found);
    }
  }

  /** CPU and counts at one instant, or between two. */
  record Sample(double seconds, double cpu, long points, int checkpoints, long rollups) {
    private Sample since(Sample before) {
      return new Sample(
          seconds - before.seconds,
          cpu - before.cpu,
          points - before.points,
          checkpoints - before.checkpoints,
          rollups - before.rollups);
    }
  }

  private Sample sample() throws IOException {
    return new Sample(
        System.nanoTime() / 1e9,
        job.cpuSeconds(),
        taken(),
        newest().map(LoadedJob::number).orElse(0),
        topics.endOffsets(run.rollups()).values().stream().mapToLong(Long::longValue).sum());
  }

  /**
   * CPU of the points behind the first rounds.
   *
   * @param warm rounds before
   */
  Sample cpu(int warm) throws IOException, InterruptedException {
    awaitTaken((long) warm * series);
    Sample from = sample();
    awaitTaken((long) rounds * series);
    return sample().since(from);
  }

  /** Asks the job rarely, because the answers are a part of its CPU. */
  private void awaitTaken(long messages) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (taken() < messages) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "the job must take " + messages + " messages, found " + taken() + ":\n" + job.log());
      }
      TimeUnit.MILLISECONDS.sleep(ASK_MILLIS);
    }
  }

  /** Messages that the job has taken of those that were written before its start. */
  private long taken() {
    long written = (long) rounds * series;
    return written - job.lag(run.points(), PARTITIONS).orElse(written);
  }

  /** Used heap of a job that has read everything, after a full collection, bytes. */
  long heap() throws InterruptedException {
    awaitTaken((long) rounds * series);
    return job.heapAfterGc();
  }

  /**
   * A checkpoint of a job that has read everything.
   *
   * @param bytes its size
   * @param saving CPU while the state was saved, the job's idling included, in words
   */
  record Saved(long bytes, String saving) {}

  /** Waits for the end of the input, and for a checkpoint behind it. */
  Saved checkpoint() throws IOException, InterruptedException {
    awaitTaken((long) rounds * series);
    TimeUnit.SECONDS.sleep(REST_SECONDS);
    double cpu = job.cpuSeconds();
    long begin = System.nanoTime();
    int before = newest().map(LoadedJob::number).orElse(0);
    Path checkpoint =
        Await.value(
            "a checkpoint", PATIENCE, () -> newest().filter(newest -> number(newest) > before));
    String saving =
        String.format(
            Locale.ROOT,
            "%.1f within %.0f s",
            job.cpuSeconds() - cpu,
            (System.nanoTime() - begin) / 1e9);
    long bytes = 0;
    try (Stream<Path> files = Files.list(checkpoint)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return new Saved(bytes, saving);
  }

  /** The newest complete checkpoint; Flink writes its metadata last. */
  private Optional<Path> newest() throws IOException {
    if (!Files.exists(run.checkpoints())) {
      return Optional.empty();
    }
    List<Path> complete;
    try (Stream<Path> jobs = Files.list(run.checkpoints())) {
      complete =
          jobs.flatMap(
                  job -> Stream.of(Optional.ofNullable(job.toFile().listFiles()).orElseThrow()))
              .map(file -> file.toPath().resolve("_metadata"))
              .filter(Files::exists)
              .map(Path::getParent)
              .toList();
    }
    return complete.stream().max(Comparator.comparingInt(LoadedJob::number));
  }

  /** Number of a checkpoint, from 1 on. */
  private static int number(Path checkpoint) {
    return Integer.parseInt(checkpoint.getFileName().toString().substring("chk-".length()));
  }

  @Override
  public void close() {
    job.close();
    topics.delete(run.points());
    topics.delete(run.rollups());
    run.others().forEach(topics::delete);
  }
}
