package io.tsdbsuite.ingest.consume;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to side topics. Thread-safe.
 *
 * <p>A thread of its own, since Kafka's producer may block its caller for a while, and the callers
 * are threads of HBase's client. Kafka is reached when the first record comes.
 */
public final class Outbox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final Supplier<Producer<byte[], byte[]>> producers;
  private final ExecutorService thread;
  private Producer<byte[], byte[]> producer;

  /**
   * Makes one; nothing is sent or opened yet.
   *
   * @param name of its thread
   * @param settings of the producer
   */
  public Outbox(String name, Map<String, Object> settings) {
    this(name, () -> new KafkaProducer<>(settings));
  }

  /** Makes one whose producers come from elsewhere; one is in use at a time. */
  Outbox(String name, Supplier<Producer<byte[], byte[]>> producers) {
    this.producers = producers;
    this.thread = Executors.newSingleThreadExecutor(Threads.named(name));
  }

  /**
   * Sends a record.
   *
   * @param done called once, with null when all in-sync replicas have it, else with the failure
   */
  public void send(ProducerRecord<byte[], byte[]> record, Consumer<Throwable> done) {
    try {
      thread.execute(() -> sendNow(record, done));
    } catch (RejectedExecutionException e) {
      done.accept(e);
    }
  }

  private void sendNow(ProducerRecord<byte[], byte[]> record, Consumer<Throwable> done) {
    try {
      if (producer == null) {
        producer = producers.get();
      }
      // The callback tells the same as the future.
      Future<?> unused = producer.send(record, (metadata, failure) -> done.accept(failure));
    } catch (Throwable e) {
      // One that failed for good stays failed: the next record gets a new one.
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
        LOG.warn("a producer that failed was not closed", e);
      }
    }
  }

  /** Ends after what was sent is acknowledged, or after ten seconds. */
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
        LOG.warn("the producer of side topics was not closed in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
