package io.tsdbsuite.ingest.publish;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka producer whose {@link #send} never blocks. Thread-safe.
 *
 * <p>Kafka's producer may block its caller, and the callers are threads of HBase's client, so it
 * has a thread of its own. The first record opens the connection to Kafka.
 */
public final class AsyncProducer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncProducer.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final Supplier<Producer<byte[], byte[]>> producers;
  private final ExecutorService thread;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * Creates a producer without opening a connection.
   *
   * @param name name of the thread
   * @param settings settings of Kafka's producer
   */
  public AsyncProducer(String name, Map<String, Object> settings) {
    this(name, () -> new KafkaProducer<>(settings));
  }

  /** Creates one with a factory of Kafka producers; one is open at a time. */
  public AsyncProducer(String name, Supplier<Producer<byte[], byte[]>> producers) {
    this.producers = producers;
    // It stays: a new thread that cannot be started would lose the callback of a record.
    this.thread =
        Executors.newSingleThreadExecutor(
            new ThreadFactoryBuilder().setNameFormat(name).setDaemon(true).build());
  }

  /**
   * Sends a record.
   *
   * @param done called once: with null when all in-sync replicas have the record, else with the
   *     failure
   */
  public void send(ProducerRecord<byte[], byte[]> record, Consumer<@Nullable Throwable> done) {
    try {
      thread.execute(() -> sendNow(record, done));
    } catch (RejectedExecutionException e) {
      done.accept(e);
    }
  }

  private void sendNow(ProducerRecord<byte[], byte[]> record, Consumer<@Nullable Throwable> done) {
    try {
      if (producer == null) {
        producer = producers.get();
      }
      // The callback reports the outcome.
      Future<?> unused = producer.send(record, (metadata, failure) -> done.accept(failure));
    } catch (Throwable e) {
      // A producer does not recover from a fatal error: the next record gets a new one.
      discard();
      done.accept(e);
    }
  }

  private void discard() {
    Producer<byte[], byte[]> old = producer;
    producer = null;
    if (old != null) {
      try {
        old.close(Duration.ZERO);
      } catch (RuntimeException e) {
        LOG.warn("the failed producer was not closed", e);
      }
    }
  }

  /** Waits until all sent records are acknowledged, for at most ten seconds, and closes. */
  @Override
  public void close() {
    thread.execute(
        () -> {
          if (producer != null) {
            producer.close(CLOSE);
          }
        });
    thread.shutdown();
    try {
      if (!thread.awaitTermination(2 * CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the producer was not closed in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
