package io.tsdbsuite.bench.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes rounds of {@link MetricInput}: each series to the partition of its number. */
final class InputWriter implements AutoCloseable {
  /** Partitions of the topics. */
  static final int PARTITIONS = 4;

  private static final int THREADS = 2;
  private static final long MILLIS = 1000;

  private final String topic;
  private final int series;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  /**
   * Opens a producer, with lz4.
   *
   * @param series number of series
   */
  InputWriter(String bootstrapServers, String topic, int series) {
    this.topic = topic;
    this.series = series;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "compression.type",
                "lz4",
                "linger.ms",
                "5",
                "batch.size",
                "65536",
                "buffer.memory",
                "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Writes a round as fast as it goes, and waits for the broker.
   *
   * @param from time of the first message, seconds since the epoch
   * @param period time until the round's end, seconds
   */
  void round(long from, int period) throws InterruptedException {
    List<Future<?>> parts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      parts.add(threads.submit(() -> part(from, period, first)));
    }
    for (Future<?> part : parts) {
      await(part);
    }
    flush();
  }

  /** Every second pair of partitions, in the order of time. */
  private void part(long from, int period, int first) {
    MetricInput input = new MetricInput();
    for (int i = first; i < series; i += THREADS) {
      send(input, i, from * MILLIS + i * MILLIS * period / series);
    }
  }

  /**
   * Sends the message of one series.
   *
   * @param input for this thread
   * @param millis time of the record, milliseconds since the epoch; the point has its second
   */
  void send(MetricInput input, int number, long millis) {
    Future<RecordMetadata> unused =
        producer.send(
            new ProducerRecord<>(
                topic,
                number % PARTITIONS,
                millis,
                MetricInput.key(number),
                input.message(number, millis / MILLIS)),
            (metadata, e) -> {
              if (e != null) {
                failure.compareAndSet(null, e);
              }
            });
  }

  /** Waits until the broker has every message. */
  void flush() {
    producer.flush();
    Exception found = failure.get();
    if (found != null) {
      throw new IllegalStateException("a message was not written to " + topic, found);
    }
  }

  /** Number of series. */
  int series() {
    return series;
  }

  private static void await(Future<?> part) throws InterruptedException {
    try {
      part.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("messages were not written", e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    producer.close();
  }
}
